#!/usr/bin/env bash
# One expects "Fri, 27 Nov 2026 10:00:00 EST" to be one moment, 15:00 UTC, wherever it is read: RFC 5322 section 4.3 gives EST, EDT, CST, CDT,
# MST, MDT, PST and PDT their hours, and makes every other name of letters -0000.
# go-message 0.18.2 and enmime 2.3.0 ask Go's net/mail, which knows a name only if it belongs to the zone of the machine (TZ): in New York the
# mail was sent at 15:00 UTC, in Berlin and in a container without a zone at 10:00, without an error. "CET" is read as its sender meant it in Berlin alone.
# It matters to whoever sorts or expires mail by Date: the same bytes give two moments on a laptop and on its server.
# Wrong guess: the eight names of the standard are a table in every library, as they are in mailparser and postal-mime.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >main.go <<'GO'
package main

import (
	"fmt"
	"strings"
	"time"
	_ "time/tzdata"

	"github.com/emersion/go-message/mail"
	"github.com/jhillyerd/enmime/v2"
)

func main() {
	for _, zone := range []string{"EST", "PDT", "CET", "-0500"} {
		text := "From: app@shop.example\r\nDate: Fri, 27 Nov 2026 10:00:00 " + zone + "\r\n\r\nHello\r\n"
		reader, err := mail.CreateReader(strings.NewReader(text))
		if err != nil {
			panic(err)
		}
		first, err := reader.Header.Date()
		if err != nil {
			panic(err)
		}
		envelope, err := enmime.ReadEnvelope(strings.NewReader(text))
		if err != nil {
			panic(err)
		}
		second, err := envelope.Date()
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s on a machine of %s: go-message %s, enmime %s\n", zone, time.Local, first.UTC().Format("15:04"), second.UTC().Format("15:04"))
	}
}
GO
go mod init finding 2>/dev/null
go get github.com/emersion/go-message@v0.18.2 github.com/jhillyerd/enmime/v2@v2.3.0 2>/dev/null
go mod tidy 2>/dev/null
go build -o finding .
cat >expected.txt <<'TXT'
EST on a machine of America/New_York: go-message 15:00, enmime 15:00
PDT on a machine of America/New_York: go-message 10:00, enmime 10:00
CET on a machine of America/New_York: go-message 10:00, enmime 10:00
-0500 on a machine of America/New_York: go-message 15:00, enmime 15:00
EST on a machine of Europe/Berlin: go-message 10:00, enmime 10:00
PDT on a machine of Europe/Berlin: go-message 10:00, enmime 10:00
CET on a machine of Europe/Berlin: go-message 09:00, enmime 09:00
-0500 on a machine of Europe/Berlin: go-message 15:00, enmime 15:00
EST on a machine of UTC: go-message 10:00, enmime 10:00
PDT on a machine of UTC: go-message 10:00, enmime 10:00
CET on a machine of UTC: go-message 10:00, enmime 10:00
-0500 on a machine of UTC: go-message 15:00, enmime 15:00
TXT
go version | cut -d' ' -f3
for zone in America/New_York Europe/Berlin UTC; do TZ=$zone ./finding; done | tee seen.txt
diff expected.txt seen.txt
