#!/usr/bin/env bash
# One expects a weekly invitation with BYDAY=MO,WE,FR and BYSETPOS=1,-1 to be for Mondays and Fridays: RFC 5545 section 3.3.10 has BYSETPOS choose from
# the dates of each period of the rule, whichever FREQ it has, and BYSETPOS=-1 of all workdays of a year is that year's last workday.
# ical.js 2.2.1 (Mozilla's) reads the part and forgets it unless the rule is monthly: every Wednesday is a meeting too, the last of three hours of a
# day is all three, and a party on the last workday of the year is on each workday. icalendar 7.3.2 with recurring-ical-events 3.8.2 and rrule-temporal
# 2.2.8 choose.
# It matters because COUNT counts those dates too: the reader shows meetings that nobody planned, and the last of the real ones is missing.
# Wrong guess: engines may differ in the hours that clocks skip, and read rules alike, as this one reads the monthly form of the same part.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" ical.js@2.2.1 rrule-temporal@2.2.8 >/dev/null
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check icalendar==7.3.2 recurring-ical-events==3.8.2
cat >rules.txt <<'TXT'
20260130T090000Z FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=4
20260105T090000Z FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=1,-1;COUNT=4
20260105T170000Z FREQ=DAILY;BYHOUR=9,12,17;BYSETPOS=-1;COUNT=4
20261231T090000Z FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=4
TXT
while read -r start rule; do
  printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//shop.example//1 METHOD:REQUEST BEGIN:VEVENT UID:1@shop.example DTSTAMP:20260101T000000Z \
    "DTSTART:$start" DURATION:PT1H "RRULE:$rule" 'ORGANIZER:mailto:ann@shop.example' 'ATTENDEE:mailto:joe@home.example' END:VEVENT END:VCALENDAR >"$rule.ics"
done <rules.txt
cat >finding.mjs <<'JS'
import { readFileSync } from 'node:fs'
import ICAL from 'ical.js'
import { RRuleTemporal } from 'rrule-temporal'

for (const line of readFileSync('rules.txt', 'utf8').trim().split('\n')) {
  const [start, rule] = line.split(' ')
  const dates = new ICAL.Event(new ICAL.Component(ICAL.parse(readFileSync(`${rule}.ics`, 'utf8'))).getFirstSubcomponent('vevent')).iterator()
  const read = []
  for (let date = dates.next(); date; date = dates.next()) read.push(date.toString())
  const chosen = new RRuleTemporal({ rruleString: `DTSTART:${start}\nRRULE:${rule}` }).all().map((date) => date.toString())
  for (const [name, all] of Object.entries({ 'ical.js': read, 'rrule-temporal': chosen }))
    console.log(`${name}, ${rule}: ${all.map((date) => date.slice(2, 13)).join(' ')}`)
}
JS
cat >finding.py <<'PY'
import icalendar, recurring_ical_events

for line in open("rules.txt").read().splitlines():
    rule = line.split()[1]
    with open(f"{rule}.ics", "rb") as file:
        calendar = icalendar.Calendar.from_ical(file.read())
    dates = sorted(event.start for event in recurring_ical_events.of(calendar).between((2026, 1, 1), (2031, 1, 1)))
    print(f"recurring-ical-events, {rule}:", *(date.strftime("%y-%m-%dT%H") for date in dates))
PY
cat >expected.txt <<'TXT'
ical.js, FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=4: 26-01-30T09 26-02-27T09 26-03-31T09 26-04-30T09
rrule-temporal, FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=4: 26-01-30T09 26-02-27T09 26-03-31T09 26-04-30T09
ical.js, FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=1,-1;COUNT=4: 26-01-05T09 26-01-07T09 26-01-09T09 26-01-12T09
rrule-temporal, FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=1,-1;COUNT=4: 26-01-05T09 26-01-09T09 26-01-12T09 26-01-16T09
ical.js, FREQ=DAILY;BYHOUR=9,12,17;BYSETPOS=-1;COUNT=4: 26-01-05T17 26-01-06T09 26-01-06T12 26-01-06T17
rrule-temporal, FREQ=DAILY;BYHOUR=9,12,17;BYSETPOS=-1;COUNT=4: 26-01-05T17 26-01-06T17 26-01-07T17 26-01-08T17
ical.js, FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=4: 26-12-31T09 27-01-01T09 27-01-04T09 27-01-05T09
rrule-temporal, FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=4: 26-12-31T09 27-12-31T09 28-12-29T09 29-12-31T09
recurring-ical-events, FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=4: 26-01-30T09 26-02-27T09 26-03-31T09 26-04-30T09
recurring-ical-events, FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=1,-1;COUNT=4: 26-01-05T09 26-01-09T09 26-01-12T09 26-01-16T09
recurring-ical-events, FREQ=DAILY;BYHOUR=9,12,17;BYSETPOS=-1;COUNT=4: 26-01-05T17 26-01-06T17 26-01-07T17 26-01-08T17
recurring-ical-events, FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=4: 26-12-31T09 27-12-31T09 28-12-29T09 29-12-31T09
TXT
{ node finding.mjs && venv/bin/python finding.py; } | tee seen.txt
diff expected.txt seen.txt
