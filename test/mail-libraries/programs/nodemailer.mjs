// biome-ignore lint/correctness/noUnusedImports: the set-up of the row uses it
import nodemailer from 'nodemailer'

const transport = SETUP
await transport.sendMail({ from: 'app@shop.test', to: process.env.TO, subject: 'Your code', text: 'Your code is 481516.' })
