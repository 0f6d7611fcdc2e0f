#!/usr/bin/env bash
# One expects an invitation to three meetings that lie at no regular distance, a start and two dates in RDATE, to be for three: RFC 5545 section 3.8.5.3
# makes the start the first date of the set, section 3.8.5.2 lists more of them, and a date that is in the set twice counts once.
# ical.js 2.2.1 (Mozilla's) and biweekly 0.6.8 leave the start out where there is no RRULE, and show two meetings. Where a rule and a list name the
# same date ical.js shows that meeting twice. icalendar 7.3.2 with recurring-ical-events 3.8.2 and ical4j 4.2.3 read both as they are meant.
# It matters because polls and booking systems write such lists: the first meeting, the next one to come, is the one that is not shown.
# Wrong guess: only rule engines without an event leave the start out; once a whole invitation is read, it is there.
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
    <dependency><groupId>org.mnode.ical4j</groupId><artifactId>ical4j</artifactId><version>4.2.3</version></dependency>
    <dependency><groupId>net.sf.biweekly</groupId><artifactId>biweekly</artifactId><version>0.6.8</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-nop</artifactId><version>2.0.17</version></dependency>
  </dependencies>
</project>
XML
mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib >maven.log || { cat maven.log && exit 1; }
for name in rule list both; do
  lines=()
  if [ "$name" != list ]; then lines+=('RRULE:FREQ=DAILY;COUNT=2'); fi
  if [ "$name" != rule ]; then lines+=('RDATE:20261202T100000Z,20261207T100000Z'); fi
  printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//shop.example//1 METHOD:REQUEST BEGIN:VEVENT UID:1@shop.example DTSTAMP:20261128T000000Z \
    DTSTART:20261201T100000Z DURATION:PT1H "${lines[@]}" 'ORGANIZER:mailto:ann@shop.example' 'ATTENDEE:mailto:joe@home.example' \
    END:VEVENT END:VCALENDAR >$name.ics
done
cat >finding.mjs <<'JS'
import { readFileSync } from 'node:fs'
import ICAL from 'ical.js'

for (const name of ['rule', 'list', 'both']) {
  const dates = new ICAL.Event(new ICAL.Component(ICAL.parse(readFileSync(`${name}.ics`, 'utf8'))).getFirstSubcomponent('vevent')).iterator()
  const read = []
  for (let date = dates.next(); date; date = dates.next()) read.push(date.toString().slice(5, 10))
  console.log(`ical.js, ${name}: ${read.join(' ')}`)
}
JS
cat >finding.py <<'PY'
import icalendar, recurring_ical_events

for name in ["rule", "list", "both"]:
    with open(f"{name}.ics", "rb") as file:
        calendar = icalendar.Calendar.from_ical(file.read())
    dates = sorted(event.start for event in recurring_ical_events.of(calendar).between((2026, 1, 1), (2027, 1, 1)))
    print(f"recurring-ical-events, {name}:", *(date.strftime("%m-%d") for date in dates))
PY
cat >Finding.java <<'JAVA'
import biweekly.Biweekly;
import java.nio.file.*;
import java.time.*;
import java.util.*;
import net.fortuna.ical4j.data.CalendarBuilder;
import net.fortuna.ical4j.model.Period;
import net.fortuna.ical4j.model.component.VEvent;

class Finding {
    public static void main(String[] arguments) throws Exception {
        for (String name : List.of("rule", "list", "both")) {
            VEvent event = (VEvent) new CalendarBuilder().build(Files.newInputStream(Path.of(name + ".ics"))).getComponent("VEVENT").get();
            ZonedDateTime from = ZonedDateTime.of(2026, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC);
            TreeSet<String> dates = new TreeSet<>();
            for (Object period : event.calculateRecurrenceSet(new Period<>(from, from.plusYears(1))))
                dates.add(Instant.from(((Period<?>) period).getStart()).toString().substring(5, 10));
            System.out.println("ical4j, " + name + ": " + String.join(" ", dates));
            List<String> found = new ArrayList<>();
            Biweekly.parse(Path.of(name + ".ics").toFile()).first().getEvents().get(0).getDateIterator(TimeZone.getTimeZone("UTC"))
                .forEachRemaining(date -> found.add(date.toInstant().toString().substring(5, 10)));
            System.out.println("biweekly, " + name + ": " + String.join(" ", found));
        }
    }
}
JAVA
cat >expected.txt <<'TXT'
ical.js, rule: 12-01 12-02
ical.js, list: 12-02 12-07
ical.js, both: 12-01 12-02 12-02 12-07
recurring-ical-events, rule: 12-01 12-02
recurring-ical-events, list: 12-01 12-02 12-07
recurring-ical-events, both: 12-01 12-02 12-07
ical4j, rule: 12-01 12-02
biweekly, rule: 12-01 12-02
ical4j, list: 12-01 12-02 12-07
biweekly, list: 12-02 12-07
ical4j, both: 12-01 12-02 12-07
biweekly, both: 12-01 12-02 12-07
TXT
{ node finding.mjs && venv/bin/python finding.py && java -cp 'lib/*' Finding.java; } | tee seen.txt
diff expected.txt seen.txt
