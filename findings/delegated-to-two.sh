#!/usr/bin/env bash
# One expects an attendee who passes an invitation on to two others to be found in the reply: RFC 5545 section 3.2.5 makes DELEGATED-TO a list, each
# address of it in quotes, and MEMBER and DELEGATED-FROM are lists too.
# node-ical 0.27.2 has no such attendee, and says nothing: the others stay. ical4j 4.2.3 raises a ParserException for the whole calendar, because it
# takes the second address for the beginning of the value. With one address both read it. ical.js 2.2.1, icalendar 7.3.0 and biweekly 0.6.8 read both.
# It matters to whoever reads replies (METHOD:REPLY) of groups: the one who answered is missing, or the answer cannot be read.
# Wrong guess: since all of them know quotes, a list of two costs at most the second delegate.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" ical.js@2.2.1 node-ical@0.27.2 >/dev/null
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check icalendar==7.3.0
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
for name in one two; do
  delegates='"mailto:pat@home.example"'
  if [ "$name" = two ]; then delegates+=',"mailto:sam@home.example"'; fi
  printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//home.example//1 METHOD:REPLY BEGIN:VEVENT UID:1@shop.example DTSTAMP:20261201T000000Z \
    DTSTART:20261201T100000Z 'ORGANIZER:mailto:ann@shop.example' "ATTENDEE;PARTSTAT=DELEGATED;DELEGATED-TO=$delegates:mailto:joe@home.example" \
    'ATTENDEE;PARTSTAT=ACCEPTED:mailto:pat@home.example' END:VEVENT END:VCALENDAR >$name.ics
done
cat >finding.mjs <<'JS'
import { readFileSync } from 'node:fs'
import ICAL from 'ical.js'
import nodeIcal from 'node-ical'

for (const name of ['one', 'two']) {
  const text = readFileSync(`${name}.ics`, 'utf8')
  const event = Object.values(nodeIcal.sync.parseICS(text)).find(({ type }) => type === 'VEVENT')
  console.log(`node-ical, ${name}: ${[event.attendee].flat().map(({ val }) => val).join(' ')}`)
  const { attendees } = new ICAL.Event(new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent'))
  console.log(`ical.js, ${name}: ${attendees.map((attendee) => attendee.getFirstValue()).join(' ')}`)
}
JS
cat >finding.py <<'PY'
import icalendar

for name in ["one", "two"]:
    with open(f"{name}.ics", "rb") as file:
        print(f"icalendar, {name}:", *icalendar.Calendar.from_ical(file.read()).walk("VEVENT")[0]["ATTENDEE"])
PY
cat >Finding.java <<'JAVA'
import biweekly.Biweekly;
import java.io.FileInputStream;
import java.util.stream.Collectors;
import net.fortuna.ical4j.data.CalendarBuilder;
import net.fortuna.ical4j.data.ParserException;
import net.fortuna.ical4j.model.Property;
import net.fortuna.ical4j.model.component.VEvent;

public class Finding {
    public static void main(String[] arguments) throws Exception {
        for (String name : new String[] {"one", "two"}) {
            try (var stream = new FileInputStream(name + ".ics")) {
                VEvent event = (VEvent) new CalendarBuilder().build(stream).getComponents("VEVENT").get(0);
                System.out.println("ical4j, " + name + ": " + event.getProperties("ATTENDEE").stream().map(Property::getValue).collect(Collectors.joining(" ")));
            } catch (ParserException error) {
                System.out.println("ical4j, " + name + ": ParserException");
            }
            try (var stream = new FileInputStream(name + ".ics")) {
                var attendees = Biweekly.parse(stream).first().getEvents().get(0).getAttendees();
                System.out.println("biweekly, " + name + ": " + attendees.stream().map(each -> "mailto:" + each.getEmail()).collect(Collectors.joining(" ")));
            }
        }
    }
}
JAVA
cat >expected.txt <<'TXT'
node-ical, one: mailto:joe@home.example mailto:pat@home.example
ical.js, one: mailto:joe@home.example mailto:pat@home.example
node-ical, two: mailto:pat@home.example
ical.js, two: mailto:joe@home.example mailto:pat@home.example
icalendar, one: mailto:joe@home.example mailto:pat@home.example
icalendar, two: mailto:joe@home.example mailto:pat@home.example
ical4j, one: mailto:joe@home.example mailto:pat@home.example
biweekly, one: mailto:joe@home.example mailto:pat@home.example
ical4j, two: ParserException
biweekly, two: mailto:joe@home.example mailto:pat@home.example
TXT
{ node finding.mjs && venv/bin/python finding.py && java -cp 'lib/*' Finding.java; } | tee seen.txt
diff expected.txt seen.txt
