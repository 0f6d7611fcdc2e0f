#!/usr/bin/env bash
# One expects 07:00 in a zone that the invitation describes itself, three hours behind UTC, to be 10:00 UTC: RFC 5545 section 3.2.19 makes TZID
# the name of a VTIMEZONE in the same object. node-ical 0.27.2 takes the hour for one of the machine (TZ): 07:00 UTC in UTC, 12:00 in New York,
# 22:00 of the day before in Tokyo, and still names the zone in `tz`; ics.py 0.7.3 takes it for UTC. Neither raises an error, as go-ical and
# golang-ical 0.3.4 do. ical.js 2.2.1, ts-ics 2.4.6 and icalendar 7.3.0 read the VTIMEZONE.
# It matters because Outlook and booking systems name zones as they like ("Customized Time Zone"): the meeting is hours off, for each machine its own.
# Wrong guess: a library that knows zones only by their IANA names fails on another name, so that somebody notices.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" ical.js@2.2.1 node-ical@0.27.2 ts-ics@2.4.6 >/dev/null
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check icalendar==7.3.0 ics==0.7.3
printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//shop.example//1 METHOD:REQUEST BEGIN:VTIMEZONE TZID:Shop BEGIN:STANDARD \
  DTSTART:19700101T000000 TZOFFSETFROM:-0300 TZOFFSETTO:-0300 END:STANDARD END:VTIMEZONE BEGIN:VEVENT UID:1@shop.example \
  DTSTAMP:20261101T000000Z 'DTSTART;TZID=Shop:20261201T070000' 'DTEND;TZID=Shop:20261201T080000' SUMMARY:Tasting END:VEVENT END:VCALENDAR >invite.ics
cat >finding.mjs <<'JS'
import { readFileSync } from 'node:fs'
import ICAL from 'ical.js'
import nodeIcal from 'node-ical'
import { convertIcsCalendar } from 'ts-ics'

const text = readFileSync('invite.ics', 'utf8')
const event = Object.values(nodeIcal.sync.parseICS(text)).find(({ type }) => type === 'VEVENT')
console.log(`node-ical on a machine of ${process.env.TZ}: ${event.start.toISOString()} ${event.start.tz}`)
if (process.env.TZ === 'UTC') {
  const calendar = new ICAL.Component(ICAL.parse(text))
  console.log(`ical.js: ${new ICAL.Event(calendar.getFirstSubcomponent('vevent')).startDate.toJSDate().toISOString()}`)
  console.log(`ts-ics: ${convertIcsCalendar(undefined, text).events[0].start.date.toISOString()}`)
}
JS
cat >finding.py <<'PY'
from datetime import timezone

import icalendar
import ics

with open("invite.ics", newline="") as file:
    text = file.read()
print("icalendar:", icalendar.Calendar.from_ical(text).walk("VEVENT")[0]["DTSTART"].dt.astimezone(timezone.utc).isoformat())
print("ics.py:", list(ics.Calendar(text).events)[0].begin.to("utc").isoformat())
PY
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/arran4/golang-ical"
	"github.com/emersion/go-ical"
)

func open() *os.File {
	file, err := os.Open("invite.ics")
	if err != nil {
		panic(err)
	}
	return file
}

func main() {
	first, err := ics.ParseCalendar(open())
	if err != nil {
		panic(err)
	}
	_, err = first.Events()[0].GetStartAt()
	fmt.Println("golang-ical:", err)
	second, err := ical.NewDecoder(open()).Decode()
	if err != nil {
		panic(err)
	}
	_, err = second.Events()[0].DateTimeStart(time.UTC)
	fmt.Println("go-ical:", err)
}
GO
go mod init finding 2>/dev/null
go get github.com/arran4/golang-ical@v0.3.4 github.com/emersion/go-ical@v0.0.0-20250329121855-f41e73efc392 2>/dev/null
go mod tidy 2>/dev/null
cat >expected.txt <<'TXT'
node-ical on a machine of UTC: 2026-12-01T07:00:00.000Z Shop
ical.js: 2026-12-01T10:00:00.000Z
ts-ics: 2026-12-01T10:00:00.000Z
node-ical on a machine of America/New_York: 2026-12-01T12:00:00.000Z Shop
node-ical on a machine of Asia/Tokyo: 2026-11-30T22:00:00.000Z Shop
icalendar: 2026-12-01T10:00:00+00:00
ics.py: 2026-12-01T07:00:00+00:00
golang-ical: unknown time zone Shop
go-ical: unknown time zone Shop
TXT
{ for zone in UTC America/New_York Asia/Tokyo; do TZ=$zone node finding.mjs; done && TZ=Asia/Tokyo venv/bin/python finding.py && go run .; } | tee seen.txt
diff expected.txt seen.txt
