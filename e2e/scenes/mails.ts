/** Realistic mail: from a sign-up, a shop, a newsletter and a person, in two alphabets and with attachments. */
import type { SendMailOptions } from 'nodemailer'
import { ATTACHMENT } from '../harness/test-mail.ts'

const PIXEL = '<img src="https://news.example/open.gif" width="1" height="1">'

const CODE = '481516'
export const CODE_SUBJECT = `${CODE} is your verification code`
export const NEWSLETTER_SUBJECT =
  'The garden in November: eleven things worth doing before the first frost arrives, and two that can wait until spring'

/** Oldest first, as they arrive. */
export const inboxMails = (to: string): SendMailOptions[] => [
  {
    to,
    from: 'מרים <miriam@sender.test>',
    subject: 'שלום, הקבצים שביקשת מצורפים',
    text: 'היי, צירפתי את שני הקבצים.',
    attachments: [
      { filename: 'report.pdf', content: ATTACHMENT, contentType: 'application/pdf' },
      { filename: 'Presupuesto definitivo de la reforma de la cocina, versión 3.xlsx', content: ATTACHMENT.subarray(0, 2000) },
    ],
  },
  { to, from: 'no-reply@very-long-sender-address-without-a-name.notifications.example', subject: '', text: '' },
  {
    to,
    from: 'The Kitchen Garden <news@garden.example>',
    subject: NEWSLETTER_SUBJECT,
    html: `<table width="600" bgcolor="#ffffff"><tr><td style="padding:24px;font-family:Georgia"><h1 style="color:#214d2b">November</h1>
      <p>Mulch the roses. <b>Then rest.</b></p><p><img src="https://news.example/roses.jpg" width="520" height="200" alt="Roses"></p>
      <p><a href="https://garden.example/november">Read the whole letter</a></p>${PIXEL}</td></tr></table>`,
  },
  {
    to,
    from: 'Biblioteca Municipal <avisos@biblioteca.example>',
    subject: 'Tu reserva está lista: «La invención de Morel»',
    text: 'Hola:\n\nPuedes recogerla hasta el 4 de diciembre en el mostrador de préstamos.\n\nhttps://biblioteca.example/reservas\n',
  },
  {
    to,
    from: 'Northwind <accounts@northwind.example>',
    subject: CODE_SUBJECT,
    text: `Your verification code is ${CODE}. It works for ten minutes.`,
    html: `<p>Hello,</p><p>your verification code is <b>${CODE}</b>. It works for ten minutes.</p>
      <p>Or press here: <a href="https://northwind.example/confirm?token=k3V9x">Confirm my email</a></p>`,
    attachments: [{ filename: 'Terms of service.pdf', content: ATTACHMENT, contentType: 'application/pdf' }],
  },
]
