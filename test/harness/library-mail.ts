/** The one mail that every library writes (lab/library-mails/), in pieces. Their names are those of the files that its programs read. */
export const libraryMail = {
  'from-name': 'Ana Müller',
  subject: 'Grüße – your code is 481516',
  text: 'Hello Ana – your code is 481516.\nConfirm: https://shop.example/confirm?t=7f3a&l=en\n.\nFrom the shop\n',
  html: '<p>Hello Ana – your code is <b>481516</b>.</p>\n<p><a href="https://shop.example/confirm?t=7f3a&amp;l=en">Confirm</a></p>\n<p><img src="cid:logo@shop.example" alt="Logo"></p>\n',
  'logo.png': Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAGQAAAAyCAIAAAAlV+npAAAAWElEQVR4nO3QQQ3AIADAQPRNIFbnYEx4P/XhSsJdQcOacz5ZYw1rrGGNNayxhjXWsMYa1ljDGmtYYw1rrGGNNayxhjXWsMYa1ljDGmtYYw1rrGGNNazfHK8bTzEBMHWC2OcAAAAASUVORK5CYII=',
    'base64',
  ),
  'Preisliste für Ana.pdf': Buffer.from('%PDF-1.4\n% a price list \u00e9\r\n%%EOF\n', 'latin1'),
  'invite.ics': [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Shop//Mail//EN',
    'METHOD:REQUEST',
    'BEGIN:VEVENT',
    'UID:1@shop.example',
    'DTSTAMP:20261128T100000Z',
    'DTSTART:20261201T100000Z',
    'DURATION:PT1H',
    'SUMMARY:Opening',
    'ORGANIZER:mailto:ana@shop.example',
    'ATTENDEE:mailto:name@mayfly.test',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n'),
}
