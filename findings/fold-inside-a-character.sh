#!/usr/bin/env bash
# One expects "Größe" in an invitation to be read as it was written although its line was folded in the middle of "ö": RFC 5545 section 3.1 says
# that writers fold so, since they count octets, and that a reader has to unfold so that the character is whole again.
# icalendar 7.3.0 (Python), ical4j 4.2.3 and biweekly 0.6.8 (Java) are given the octets and still decode them before they unfold: "Gr??ße" with two
# replacement characters. go-ical and golang-ical 0.3.4 restore it.
# It matters because writers in C or PHP fold at 75 octets wherever that is: the summary or a name is broken, in some mails and not in others.
# Wrong guess: only readers that are handed text, as those of JavaScript are, must fail; who takes octets takes them for this.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//shop.example//1\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:1@shop.example\r\nDTSTAMP:20261101T000000Z\r
DTSTART:20261201T100000Z\r\nSUMMARY:Gr\303\r\n \266\303\237e\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n' >invite.ics
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
cat >finding.py <<'PY'
import icalendar

with open("invite.ics", "rb") as file:
    print("icalendar 7.3.0:", ascii(str(icalendar.Calendar.from_ical(file.read()).walk("VEVENT")[0]["SUMMARY"])))
PY
cat >Finding.java <<'JAVA'
import biweekly.Biweekly;
import java.io.FileInputStream;
import net.fortuna.ical4j.data.CalendarBuilder;
import net.fortuna.ical4j.model.Property;
import net.fortuna.ical4j.model.component.VEvent;

public class Finding {
    static void show(String library, String summary) {
        var escaped = new StringBuilder();
        summary.chars().forEach(unit -> escaped.append(unit < 128 ? String.valueOf((char) unit) : unit < 256 ? "\\x%02x".formatted(unit) : "\\u%04x".formatted(unit)));
        System.out.println(library + ": '" + escaped + "'");
    }

    public static void main(String[] arguments) throws Exception {
        try (var stream = new FileInputStream("invite.ics")) {
            VEvent event = (VEvent) new CalendarBuilder().build(stream).getComponents("VEVENT").get(0);
            show("ical4j 4.2.3", ((Property) event.getProperty("SUMMARY").get()).getValue());
        }
        try (var stream = new FileInputStream("invite.ics")) {
            show("biweekly 0.6.8", Biweekly.parse(stream).first().getEvents().get(0).getSummary().getValue());
        }
    }
}
JAVA
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"

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
	fmt.Printf("golang-ical 0.3.4: %+q\n", first.Events()[0].GetProperty(ics.ComponentPropertySummary).Value)
	second, err := ical.NewDecoder(open()).Decode()
	if err != nil {
		panic(err)
	}
	summary, err := second.Events()[0].Props.Text("SUMMARY")
	if err != nil {
		panic(err)
	}
	fmt.Printf("go-ical: %+q\n", summary)
}
GO
go mod init finding 2>/dev/null
go get github.com/arran4/golang-ical@v0.3.4 github.com/emersion/go-ical@v0.0.0-20250329121855-f41e73efc392 2>/dev/null
go mod tidy 2>/dev/null
cat >expected.txt <<'TXT'
icalendar 7.3.0: 'Gr\ufffd\ufffd\xdfe'
ical4j 4.2.3: 'Gr\ufffd\ufffd\xdfe'
biweekly 0.6.8: 'Gr\ufffd\ufffd\xdfe'
golang-ical 0.3.4: "Gr\u00f6\u00dfe"
go-ical: "Gr\u00f6\u00dfe"
TXT
{ venv/bin/python finding.py && java -Dfile.encoding=UTF-8 -cp 'lib/*' Finding.java && go run .; } | tee seen.txt
diff expected.txt seen.txt
