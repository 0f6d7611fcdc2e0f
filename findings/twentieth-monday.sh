#!/usr/bin/env bash
# One expects FREQ=YEARLY with BYDAY=20MO to be each year's twentieth Monday, and with BYWEEKNO=20;BYDAY=MO the Monday of week 20: both are examples of
# RFC 5545 section 3.8.5.3, which writes their dates out. ical.js 2.2.1 (Mozilla's) begins right with the first and takes a Monday week after week from
# there, and for the second it begins a week late and does the same. With BYMONTH beside it, it reads a numbered day right.
# biweekly 0.6.8 reads both, but not week 1 where it begins in December, nor week 53: it shows others. icalendar 7.3.2 with recurring-ical-events 3.8.2
# reads all of them.
# It matters because calendars of schools and of works go by weeks: the reader shows a yearly date as a weekly one, or on another day.
# Wrong guess: all readers give the standard's own examples.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" ical.js@2.2.1 >/dev/null
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check icalendar==7.3.2 recurring-ical-events==3.8.2
cat >pom.xml <<'XML'
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>example</groupId>
  <artifactId>finding</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>net.sf.biweekly</groupId><artifactId>biweekly</artifactId><version>0.6.8</version></dependency>
  </dependencies>
</project>
XML
mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib >maven.log || { cat maven.log && exit 1; }
cat >rules.txt <<'TXT'
20260308T090000Z FREQ=YEARLY;BYMONTH=3;BYDAY=2SU;COUNT=3
19970519T090000Z FREQ=YEARLY;BYDAY=20MO;COUNT=3
19970512T090000Z FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=3
20251229T090000Z FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO;COUNT=3
20201228T090000Z FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO;COUNT=3
TXT
while read -r start rule; do
  printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//shop.example//1 METHOD:REQUEST BEGIN:VEVENT UID:1@shop.example DTSTAMP:20260101T000000Z \
    "DTSTART:$start" DURATION:PT1H "RRULE:$rule" 'ORGANIZER:mailto:ann@shop.example' 'ATTENDEE:mailto:joe@home.example' END:VEVENT END:VCALENDAR >"$rule.ics"
done <rules.txt
cat >finding.mjs <<'JS'
import { readFileSync } from 'node:fs'
import ICAL from 'ical.js'

for (const line of readFileSync('rules.txt', 'utf8').trim().split('\n')) {
  const rule = line.split(' ')[1]
  const dates = new ICAL.Event(new ICAL.Component(ICAL.parse(readFileSync(`${rule}.ics`, 'utf8'))).getFirstSubcomponent('vevent')).iterator()
  const read = []
  for (let date = dates.next(); date; date = dates.next()) read.push(date.toString().slice(0, 10))
  console.log(`ical.js, ${rule}: ${read.join(' ')}`)
}
JS
cat >finding.py <<'PY'
import icalendar, recurring_ical_events

for line in open("rules.txt").read().splitlines():
    rule = line.split()[1]
    with open(f"{rule}.ics", "rb") as file:
        calendar = icalendar.Calendar.from_ical(file.read())
    dates = sorted(event.start for event in recurring_ical_events.of(calendar).between((1997, 1, 1), (2035, 1, 1)))
    print(f"recurring-ical-events, {rule}:", *(str(date.date()) for date in dates))
PY
cat >Finding.java <<'JAVA'
import biweekly.Biweekly;
import java.nio.file.*;
import java.util.*;

class Finding {
    public static void main(String[] arguments) throws Exception {
        for (String line : Files.readAllLines(Path.of("rules.txt"))) {
            String rule = line.split(" ")[1];
            List<String> found = new ArrayList<>();
            Biweekly.parse(Path.of(rule + ".ics").toFile()).first().getEvents().get(0).getDateIterator(TimeZone.getTimeZone("UTC"))
                .forEachRemaining(date -> found.add(date.toInstant().toString().substring(0, 10)));
            System.out.println("biweekly, " + rule + ": " + String.join(" ", found));
        }
    }
}
JAVA
cat >expected.txt <<'TXT'
ical.js, FREQ=YEARLY;BYMONTH=3;BYDAY=2SU;COUNT=3: 2026-03-08 2027-03-14 2028-03-12
ical.js, FREQ=YEARLY;BYDAY=20MO;COUNT=3: 1997-05-19 1997-05-26 1997-06-02
ical.js, FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=3: 1997-05-19 1997-05-26 1997-06-02
ical.js, FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO;COUNT=3: 2026-01-05 2026-01-12 2026-01-19
ical.js, FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO;COUNT=3: 2021-01-04 2021-01-11 2021-01-18
recurring-ical-events, FREQ=YEARLY;BYMONTH=3;BYDAY=2SU;COUNT=3: 2026-03-08 2027-03-14 2028-03-12
recurring-ical-events, FREQ=YEARLY;BYDAY=20MO;COUNT=3: 1997-05-19 1998-05-18 1999-05-17
recurring-ical-events, FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=3: 1997-05-12 1998-05-11 1999-05-17
recurring-ical-events, FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO;COUNT=3: 2025-12-29 2027-01-04 2028-01-03
recurring-ical-events, FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO;COUNT=3: 2020-12-28 2026-12-28 2032-12-27
biweekly, FREQ=YEARLY;BYMONTH=3;BYDAY=2SU;COUNT=3: 2026-03-08 2027-03-14 2028-03-12
biweekly, FREQ=YEARLY;BYDAY=20MO;COUNT=3: 1997-05-19 1998-05-18 1999-05-17
biweekly, FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=3: 1997-05-12 1998-05-11 1999-05-17
biweekly, FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO;COUNT=3: 2027-01-04 2028-01-03 2029-01-01
biweekly, FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO;COUNT=3: 2020-12-28 2024-12-30 2025-12-29
TXT
{ node finding.mjs && venv/bin/python finding.py && java -cp 'lib/*' Finding.java; } | tee seen.txt
diff expected.txt seen.txt
