/**
 * What toasts about the address say; fetched with the first. The English of the specification is kept word for word. On a phone, brief
 * texts stand for titles that do not fit on a line or say too little without their description.
 */
export const notices = {
  errorTitle: 'Error',
  generateFailed: 'Failed to generate email. Please try again.',
  generateFailedBrief: 'No address yet. Please try again.',
  away: 'One moment, please',
  awayText: 'New addresses cannot be made right now. Yours appears here by itself, as soon as they can.',
  full: 'You have ten addresses',
  fullText: 'That is the most an account can hold. Delete one to make room.',
  emailDeleted: 'Email address deleted!',
  ended: 'The previous address has ended',
  endedText: 'It was destroyed with its mail.',
  destroyed: 'Your temporary email has been destroyed. Generate a new one to continue.',
  rateLimitTitle: 'Please wait before generating a new email',
  rateLimitBrief: (p: { time: string }) => `Next new address in ${p.time}`,
  rateLimit: (p: { seconds: number }) => `Please wait ${p.seconds} seconds before generating another email.`,
  botCheckTitle: 'Security Verification Failed',
  botCheck: {
    script: 'Failed to load reCAPTCHA script',
    token: 'Failed to generate CAPTCHA token. Please try again.',
    verification: 'CAPTCHA verification failed',
  },
  handedOver: 'Same inbox, this device',
  handedOverText: 'The address and its mail are open here too.',
  handOverFailed: 'This link does not open an inbox',
  handOverFailedText: 'Its time is up, or the link is incomplete.',
  handOverUnreachable: 'The link could not be opened yet',
  handOverUnreachableText: 'The server cannot be reached. The link is kept and tried again by itself.',
  handOverRefused: 'Two addresses are open here already',
  handOverRefusedText: 'Delete one of them, then open the link again.',
  deleteFailedBrief: 'Not deleted. Please try again.',
  deleteFailed: 'Could not delete the address. It is still alive. Please try again.',
}

export type NoticeTexts = typeof notices
