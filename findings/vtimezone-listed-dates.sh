#!/usr/bin/env bash
# One expects 10:00 in New York on 14 July to be 14:00 UTC in every reader, when the invitation describes the zone by listing its changes:
# RDATE takes several dates, separated by commas, and the start of a change is its first date (RFC 5545 sections 3.6.5 and 3.8.5.2).
# ical.js 2.2.1 (Mozilla's) reads only the first date of each RDATE, and not the start: it stays in the winter of 1971, and shows 15:00.
# It matters because icalendar 7.0.3 (the usual library of Python) describes every zone so, in one long RDATE: what it invites to is shown an
# hour late in every summer, and London, whose clocks stood still in 1970, an hour early in winter.
# Wrong guess: the two libraries understand each other, and only zones that somebody invented are at risk.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" ical.js@2.2.1 >/dev/null
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check icalendar==7.0.3
cat >write.py <<'PY'
from datetime import datetime
from zoneinfo import ZoneInfo

from icalendar import Calendar, Event

for name, month in (("America/New_York", 7), ("Europe/London", 1)):
    calendar, event = Calendar(), Event()
    event.add("uid", "1@example.org")
    event.add("dtstart", datetime(2026, month, 14, 10, tzinfo=ZoneInfo(name)))
    calendar.add_component(event)
    calendar.add_missing_timezones()
    with open(name.split("/")[1] + ".ics", "wb") as file:
        file.write(calendar.to_ical())
    print(f"written: {name} 10:00 = {event.start.astimezone(ZoneInfo('UTC')):%H:%M} UTC")
PY
cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs'
import ICAL from 'ical.js'

for (const name of ['New_York', 'London']) {
  const calendar = new ICAL.Component(ICAL.parse(readFileSync(`${name}.ics`, 'utf8')))
  const { startDate } = new ICAL.Event(calendar.getFirstSubcomponent('vevent'))
  console.log(`read: ${name} ${startDate.toJSDate().toISOString().slice(11, 16)} UTC`)
}
JS
cat >expected.txt <<'TXT'
written: America/New_York 10:00 = 14:00 UTC
written: Europe/London 10:00 = 10:00 UTC
read: New_York 15:00 UTC
read: London 09:00 UTC
TXT
echo 'icalendar 7.0.3, ical.js 2.2.1'
{ venv/bin/python write.py; TZ=UTC node read.mjs; } | tee seen.txt
diff expected.txt seen.txt
