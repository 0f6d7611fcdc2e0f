#!/usr/bin/env bash
# One expects a yearly rule that begins on 29 February to skip the years without one, and a daily one at 02:30 in New York the night in which clocks
# jump from 2 to 3: RFC 5545 section 3.3.10 says that such dates and times must be ignored and must not be counted.
# Of five engines only rrule-temporal 2.2.8 does so. ical.js 2.2.1 (Mozilla's) moves the day to 1 March, and stays there for good. The hour is 01:30 for
# ical.js and rrule-go 1.8.2, and 03:30 for ical4j 4.2.3 and for icalendar 7.3.2 with recurring-ical-events 3.8.2; all four count it.
# It matters to whoever shows or tests invitations of yearly events and nightly work: the same COUNT ends on another day, and in one
# night two readers of the same mail come an hour apart.
# Wrong guess: all skip the day, and all move the hour to 03:30.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" ical.js@2.2.1 rrule-temporal@2.2.8 >/dev/null
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check icalendar==7.3.2 recurring-ical-events==3.8.2
mkdir lib
cat >pom.xml <<'XML'
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>example</groupId>
  <artifactId>finding</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>org.mnode.ical4j</groupId><artifactId>ical4j</artifactId><version>4.2.3</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-nop</artifactId><version>2.0.17</version></dependency>
  </dependencies>
</project>
XML
mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib >maven.log || { cat maven.log && exit 1; }
cat >rules.txt <<'TXT'
20240229T090000 FREQ=YEARLY;COUNT=3
20260307T023000 FREQ=DAILY;COUNT=3
TXT
while read -r start rule; do
  printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//shop.example//1 METHOD:REQUEST BEGIN:VTIMEZONE TZID:America/New_York \
    BEGIN:STANDARD DTSTART:20071104T020000 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU' TZOFFSETFROM:-0400 TZOFFSETTO:-0500 END:STANDARD \
    BEGIN:DAYLIGHT DTSTART:20070311T020000 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU' TZOFFSETFROM:-0500 TZOFFSETTO:-0400 END:DAYLIGHT END:VTIMEZONE \
    BEGIN:VEVENT UID:1@shop.example DTSTAMP:20240101T000000Z "DTSTART;TZID=America/New_York:$start" DURATION:PT1H "RRULE:$rule" \
    'ORGANIZER:mailto:ann@shop.example' 'ATTENDEE:mailto:joe@home.example' END:VEVENT END:VCALENDAR >"$rule.ics"
done <rules.txt
cat >finding.mjs <<'JS'
import { readFileSync } from 'node:fs'
import ICAL from 'ical.js'
import { RRuleTemporal } from 'rrule-temporal'

const utc = (date) => new Date(date).toISOString().slice(0, 16)
for (const line of readFileSync('rules.txt', 'utf8').trim().split('\n')) {
  const [start, rule] = line.split(' ')
  const calendar = new ICAL.Component(ICAL.parse(readFileSync(`${rule}.ics`, 'utf8')))
  const dates = new ICAL.Event(calendar.getFirstSubcomponent('vevent')).iterator()
  const read = []
  for (let date = dates.next(); date; date = dates.next()) read.push(utc(date.toUnixTime() * 1000))
  console.log(`ical.js, ${rule}: ${read.join(' ')}`)
  const all = new RRuleTemporal({ rruleString: `DTSTART;TZID=America/New_York:${start}\nRRULE:${rule}` }).all()
  console.log(`rrule-temporal, ${rule}: ${all.map((date) => utc(date.epochMilliseconds)).join(' ')}`)
}
JS
cat >finding.py <<'PY'
from datetime import timezone
import icalendar, recurring_ical_events

for line in open("rules.txt").read().splitlines():
    rule = line.split()[1]
    with open(f"{rule}.ics", "rb") as file:
        calendar = icalendar.Calendar.from_ical(file.read())
    dates = sorted(event.start.astimezone(timezone.utc) for event in recurring_ical_events.of(calendar).between((2024, 1, 1), (2033, 1, 1)))
    print(f"recurring-ical-events, {rule}:", *(date.strftime("%Y-%m-%dT%H:%M") for date in dates))
PY
cat >Finding.java <<'JAVA'
import java.nio.file.*;
import java.time.*;
import java.util.*;
import net.fortuna.ical4j.data.CalendarBuilder;
import net.fortuna.ical4j.model.Period;
import net.fortuna.ical4j.model.component.VEvent;

class Finding {
    public static void main(String[] arguments) throws Exception {
        for (String line : Files.readAllLines(Path.of("rules.txt"))) {
            String rule = line.split(" ")[1];
            VEvent event = (VEvent) new CalendarBuilder().build(Files.newInputStream(Path.of(rule + ".ics"))).getComponent("VEVENT").get();
            ZonedDateTime from = ZonedDateTime.of(2024, 1, 1, 0, 0, 0, 0, ZoneId.of("America/New_York"));
            TreeSet<String> dates = new TreeSet<>();
            for (Object period : event.calculateRecurrenceSet(new Period<>(from, from.plusYears(9))))
                dates.add(Instant.from(((Period<?>) period).getStart()).toString().substring(0, 16));
            System.out.println("ical4j, " + rule + ": " + String.join(" ", dates));
        }
    }
}
JAVA
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
	for _, line := range strings.Split(strings.TrimSpace(string(rules)), "\n") {
		start, rule, _ := strings.Cut(line, " ")
		set, err := rrule.StrToRRuleSet("DTSTART;TZID=America/New_York:" + start + "\nRRULE:" + rule)
		if err != nil {
			panic(err)
		}
		fmt.Printf("rrule-go, %s:", rule)
		for _, date := range set.All() {
			fmt.Print(" ", date.UTC().Format("2006-01-02T15:04"))
		}
		fmt.Println()
	}
}
GO
go mod init finding 2>/dev/null
go get github.com/teambition/rrule-go@v1.8.2 2>/dev/null
cat >expected.txt <<'TXT'
ical.js, FREQ=YEARLY;COUNT=3: 2024-02-29T14:00 2025-03-01T14:00 2026-03-01T14:00
rrule-temporal, FREQ=YEARLY;COUNT=3: 2024-02-29T14:00 2028-02-29T14:00 2032-02-29T14:00
ical.js, FREQ=DAILY;COUNT=3: 2026-03-07T07:30 2026-03-08T06:30 2026-03-09T06:30
rrule-temporal, FREQ=DAILY;COUNT=3: 2026-03-07T07:30 2026-03-09T06:30 2026-03-10T06:30
recurring-ical-events, FREQ=YEARLY;COUNT=3: 2024-02-29T14:00 2028-02-29T14:00 2032-02-29T14:00
recurring-ical-events, FREQ=DAILY;COUNT=3: 2026-03-07T07:30 2026-03-08T07:30 2026-03-09T06:30
ical4j, FREQ=YEARLY;COUNT=3: 2024-02-29T14:00 2028-02-29T14:00 2032-02-29T14:00
ical4j, FREQ=DAILY;COUNT=3: 2026-03-07T07:30 2026-03-08T07:30 2026-03-09T06:30
rrule-go, FREQ=YEARLY;COUNT=3: 2024-02-29T14:00 2028-02-29T14:00 2032-02-29T14:00
rrule-go, FREQ=DAILY;COUNT=3: 2026-03-07T07:30 2026-03-08T06:30 2026-03-09T06:30
TXT
{ node finding.mjs && venv/bin/python finding.py && java -cp 'lib/*' Finding.java && go run .; } | tee seen.txt
diff expected.txt seen.txt
