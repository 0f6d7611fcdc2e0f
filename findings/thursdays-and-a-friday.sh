#!/usr/bin/env bash
# One expects a monthly invitation with BYDAY=TH,2FR to be for every Thursday and the second Friday: in the grammar of RFC 5545 section 3.3.10 each
# day of the list has a number or none, and a day without one means all such days of the month.
# python-dateutil 2.9.0 finds no date at all for it, and neither do its ports rrule 2.8.1 (npm) and rrule-go 1.8.2: all three want a day that is in both
# halves of the list. icalendar 7.3.2 with recurring-ical-events 3.8.2, which ask dateutil, show the first Thursday alone. None of them raises an error.
# ical.js 2.2.1 and rrule-temporal 2.2.8 find both kinds.
# It matters because most calendars in Python, JavaScript and Go stand on these three: a series of meetings is one meeting, or is not there.
# Wrong guess: all engines read valid rules alike, and only the hours that clocks skip divide them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" ical.js@2.2.1 rrule@2.8.1 rrule-temporal@2.2.8 >/dev/null
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check icalendar==7.3.2 recurring-ical-events==3.8.2 python-dateutil==2.9.0.post0
for rule in 'FREQ=MONTHLY;BYDAY=TH;COUNT=5' 'FREQ=MONTHLY;BYDAY=1TH,2FR;COUNT=5' 'FREQ=MONTHLY;BYDAY=TH,2FR;COUNT=5'; do
  printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//shop.example//1 METHOD:REQUEST BEGIN:VEVENT UID:1@shop.example DTSTAMP:20260101T000000Z \
    DTSTART:20260101T090000Z DURATION:PT1H "RRULE:$rule" 'ORGANIZER:mailto:ann@shop.example' 'ATTENDEE:mailto:joe@home.example' END:VEVENT END:VCALENDAR \
    >"$rule.ics"
  echo "$rule" >>rules.txt
done
cat >finding.mjs <<'JS'
import { readFileSync } from 'node:fs'
import ICAL from 'ical.js'
import rrule from 'rrule'
import { RRuleTemporal } from 'rrule-temporal'

for (const rule of readFileSync('rules.txt', 'utf8').trim().split('\n')) {
  const dates = new ICAL.Event(new ICAL.Component(ICAL.parse(readFileSync(`${rule}.ics`, 'utf8'))).getFirstSubcomponent('vevent')).iterator()
  const read = []
  for (let date = dates.next(); date; date = dates.next()) read.push(date.toString())
  const text = `DTSTART:20260101T090000Z\nRRULE:${rule}`
  const found = {
    'ical.js': read,
    'rrule-temporal': new RRuleTemporal({ rruleString: text }).all().map((date) => date.toString()),
    rrule: rrule.rrulestr(text).all().map((date) => date.toISOString()),
  }
  for (const [name, all] of Object.entries(found)) console.log([`${name}, ${rule}:`, ...all.map((date) => date.slice(0, 10))].join(' '))
}
JS
cat >finding.py <<'PY'
from dateutil.rrule import rrulestr
import icalendar, recurring_ical_events

for rule in open("rules.txt").read().splitlines():
    print(f"dateutil, {rule}:", *(str(date.date()) for date in rrulestr(f"DTSTART:20260101T090000Z\nRRULE:{rule}")))
    with open(f"{rule}.ics", "rb") as file:
        calendar = icalendar.Calendar.from_ical(file.read())
    dates = sorted(event.start for event in recurring_ical_events.of(calendar).between((2026, 1, 1), (2027, 1, 1)))
    print(f"recurring-ical-events, {rule}:", *(str(date.date()) for date in dates))
PY
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/teambition/rrule-go"
)

func main() {
	rules, err := os.ReadFile("rules.txt")
	if err != nil {
		panic(err)
	}
	for _, rule := range strings.Fields(string(rules)) {
		set, err := rrule.StrToRRuleSet("DTSTART:20260101T090000Z\nRRULE:" + rule)
		if err != nil {
			panic(err)
		}
		fmt.Printf("rrule-go, %s:", rule)
		for _, date := range set.All() {
			fmt.Print(" ", date.Format("2006-01-02"))
		}
		fmt.Println()
	}
}
GO
go mod init finding 2>/dev/null
go get github.com/teambition/rrule-go@v1.8.2 2>/dev/null
cat >expected.txt <<'TXT'
ical.js, FREQ=MONTHLY;BYDAY=TH;COUNT=5: 2026-01-01 2026-01-08 2026-01-15 2026-01-22 2026-01-29
rrule-temporal, FREQ=MONTHLY;BYDAY=TH;COUNT=5: 2026-01-01 2026-01-08 2026-01-15 2026-01-22 2026-01-29
rrule, FREQ=MONTHLY;BYDAY=TH;COUNT=5: 2026-01-01 2026-01-08 2026-01-15 2026-01-22 2026-01-29
ical.js, FREQ=MONTHLY;BYDAY=1TH,2FR;COUNT=5: 2026-01-01 2026-01-09 2026-02-05 2026-02-13 2026-03-05
rrule-temporal, FREQ=MONTHLY;BYDAY=1TH,2FR;COUNT=5: 2026-01-01 2026-01-09 2026-02-05 2026-02-13 2026-03-05
rrule, FREQ=MONTHLY;BYDAY=1TH,2FR;COUNT=5: 2026-01-01 2026-01-09 2026-02-05 2026-02-13 2026-03-05
ical.js, FREQ=MONTHLY;BYDAY=TH,2FR;COUNT=5: 2026-01-01 2026-01-08 2026-01-09 2026-01-15 2026-01-22
rrule-temporal, FREQ=MONTHLY;BYDAY=TH,2FR;COUNT=5: 2026-01-01 2026-01-08 2026-01-09 2026-01-15 2026-01-22
rrule, FREQ=MONTHLY;BYDAY=TH,2FR;COUNT=5:
dateutil, FREQ=MONTHLY;BYDAY=TH;COUNT=5: 2026-01-01 2026-01-08 2026-01-15 2026-01-22 2026-01-29
recurring-ical-events, FREQ=MONTHLY;BYDAY=TH;COUNT=5: 2026-01-01 2026-01-08 2026-01-15 2026-01-22 2026-01-29
dateutil, FREQ=MONTHLY;BYDAY=1TH,2FR;COUNT=5: 2026-01-01 2026-01-09 2026-02-05 2026-02-13 2026-03-05
recurring-ical-events, FREQ=MONTHLY;BYDAY=1TH,2FR;COUNT=5: 2026-01-01 2026-01-09 2026-02-05 2026-02-13 2026-03-05
dateutil, FREQ=MONTHLY;BYDAY=TH,2FR;COUNT=5:
recurring-ical-events, FREQ=MONTHLY;BYDAY=TH,2FR;COUNT=5: 2026-01-01
rrule-go, FREQ=MONTHLY;BYDAY=TH;COUNT=5: 2026-01-01 2026-01-08 2026-01-15 2026-01-22 2026-01-29
rrule-go, FREQ=MONTHLY;BYDAY=1TH,2FR;COUNT=5: 2026-01-01 2026-01-09 2026-02-05 2026-02-13 2026-03-05
rrule-go, FREQ=MONTHLY;BYDAY=TH,2FR;COUNT=5:
TXT
{ node finding.mjs && venv/bin/python finding.py && go run .; } | tee seen.txt
diff expected.txt seen.txt
