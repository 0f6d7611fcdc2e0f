#!/usr/bin/env bash
# One expects an invitation with DURATION:PT24H to end 24 hours after its start, also over the night in which clocks change: RFC 5545 section
# 3.3.6 makes hours, minutes and seconds exact, and only days and weeks nominal.
# ical.js 2.2.1 adds every duration to the clock on the wall: PT24H from noon before the change ends at noon, 25 hours later, exactly as P1D.
# It matters because booking systems write durations in hours or minutes (PT1440M), and the reader shows an end that is an hour off.
# Wrong guess: ical.js tells the two kinds apart, since its Duration keeps days and hours in different fields.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" ical.js@2.2.1 >/dev/null
cat >try.mjs <<'JS'
import ICAL from 'ical.js'

const zone = ['BEGIN:VTIMEZONE', 'TZID:Here']
for (const [kind, start, rule, from, to] of [
  ['DAYLIGHT', '19700329T020000', 'BYMONTH=3;BYDAY=-1SU', '+0100', '+0200'],
  ['STANDARD', '19701025T030000', 'BYMONTH=10;BYDAY=-1SU', '+0200', '+0100'],
])
  zone.push(`BEGIN:${kind}`, `DTSTART:${start}`, `RRULE:FREQ=YEARLY;${rule}`, `TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`, `END:${kind}`)
zone.push('END:VTIMEZONE')
for (const duration of ['P1D', 'PT24H', 'PT1440M']) {
  const event = ['BEGIN:VEVENT', 'UID:1', 'DTSTART;TZID=Here:20261024T120000', `DURATION:${duration}`, 'END:VEVENT']
  const calendar = new ICAL.Component(ICAL.parse(['BEGIN:VCALENDAR', 'VERSION:2.0', ...zone, ...event, 'END:VCALENDAR', ''].join('\r\n')))
  const { startDate, endDate } = new ICAL.Event(calendar.getFirstSubcomponent('vevent'))
  console.log(`${duration}: ${(endDate.toJSDate() - startDate.toJSDate()) / 3_600_000} hours`)
}
JS
cat >expected.txt <<'TXT'
P1D: 25 hours
PT24H: 25 hours
PT1440M: 25 hours
TXT
echo 'ical.js 2.2.1'
node try.mjs | tee seen.txt
diff expected.txt seen.txt
