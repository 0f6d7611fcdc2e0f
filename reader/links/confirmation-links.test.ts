import { expect, test } from 'vitest'
import examples from '../../test/fixtures/links/examples.json' with { type: 'json' }
import { findConfirmationLinks } from './confirmation-links.ts'

test.each(examples.map(({ name, links, ...source }, at) => ({ title: `${name} (${at})`, source, links })))(
  '$title',
  ({ source, links }) => {
    expect(findConfirmationLinks(source)).toEqual(links)
  },
)

const link = (href: string, label: string) => `<p><a class="b" href="${href}">${label}</a></p>`

test('a label is cut at 80 characters, and the same target counts once', () => {
  const html = link('https://a.example/c?t=8f2k1', `Confirm ${'x'.repeat(200)}`).repeat(3)
  const found = findConfirmationLinks({ html })
  expect(found).toHaveLength(1)
  expect(found[0]?.label).toHaveLength(80)
})

test.each([
  ['入会手続きのお願い', '入会手続きを完了', 'するか、アプリに 33-09-18 を入力してください。</p><p>会費 1,200円</p>'],
  ['ご予約を確定してください', '予約を確定する', '</p>'],
  ['Üyeliğinizi tamamlayın', 'Üyeliği tamamla', ' veya uygulamaya <b>73 04 19</b> yazın.</p>'],
  ['Zapis prawie skończony', 'Kliknij tutaj', ', aby zakończyć zapis. Próba we wtorek o 19:30.</p>'],
  ["Confermi l'appuntamento", "Confermo l'appuntamento", '</p><p>La aspettiamo il 4 dicembre alle 15:30.</p>'],
  ['Samtycke till utskick', 'Jag samtycker', '</p><p>Enligt lag behöver vi ditt samtycke för att skicka kallelser per e-post.</p>'],
])('%s: a link beside a code or a price is what finishes it', (subject, label, rest) => {
  const url = 'https://tern.example/k/9e1c5d'
  const html = `<p><a href="${url}">${label}</a>${rest}`
  expect(findConfirmationLinks({ subject, html })).toEqual([{ url, label }])
})

test.each([
  ['Rundbrief 48', 'Newsletter abbestellen', 'https://walkers.example/n/abmelden/8f7a6b5c'],
  ['Il numero di novembre', "Annulla l'iscrizione alla newsletter", 'https://walkers.example/n/fine/8f7a6b5c'],
  ['November at the club', 'Unsubscribe from this list', 'https://walkers.example/n/out/8f7a6b5c'],
  ['Nyhetsbrev november', 'Avprenumerera', 'https://walkers.example/n/avsluta/8f7a6b5c'],
])('%s: the link by which a newsletter is ended is not wanted', (subject, label, url) => {
  const html = `<h2>${subject}</h2><p>18 km, 640 m, 27 members.</p><p><a href="${url}">${label}</a> 53945 Moss</p>`
  expect(findConfirmationLinks({ subject, html })).toEqual([])
})

test.each([
  [
    '【テルン】ご登録ありがとうございます',
    'パスワードを設定する',
    'ご登録ありがとうございます。下のボタンからパスワードを設定してください。',
  ],
  ['欢迎加入', '设置密码', '请点击下面的按钮设置密码，完成注册。'],
  ['비밀번호 재설정', '새 비밀번호 설정', '비밀번호 재설정을 요청하셨습니다.'],
  ['Завершите регистрацию', 'Завершить настройку аккаунта', 'Нажмите кнопку, чтобы завершить регистрацию.'],
])('%s: a link whose words also stand in the foot of newsletters is wanted', (subject, label, text) => {
  const url = 'https://tern.example/k/9e1c5dA7Bq2'
  expect(findConfirmationLinks({ subject, html: `<p>${text}</p><p><a href="${url}">${label}</a></p>` })).toEqual([{ url, label }])
})

test('the link that confirms the end of a newsletter is wanted', () => {
  const url = 'https://walkers.example/n/out/8f7a6b5c'
  const html = `<p>Press the button to confirm.</p><p><a href="${url}">Confirm</a></p>`
  expect(findConfirmationLinks({ subject: 'Confirm that you want to unsubscribe', html })).toEqual([{ url, label: 'Confirm' }])
})

const MEGABYTE = 1_000_000
/** As in codes.test.ts: the time limit of the test is what a slow search would meet. */
test.each(['<a ', '<a href="', '<a href=https://a.example/confirm>', '<', 'https://a.example/confirm ', "<a href='x'>y</a>", 'confirm '])(
  'a megabyte of %j is handled in time',
  unit => {
    const mail = unit.repeat(MEGABYTE / unit.length)
    expect(findConfirmationLinks({ html: mail, text: mail }).length).toBeLessThanOrEqual(3)
  },
)
