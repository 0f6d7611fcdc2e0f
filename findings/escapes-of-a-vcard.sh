#!/usr/bin/env bash
# One expects "FN:Roe\, Dr. Joe" on a card that a mail has attached to be "Roe, Dr. Joe", and "\n" in a note to be a new line: RFC 6350 section 3.4, as
# RFC 2426 before it, escapes commas, backslashes and line ends in texts, and semicolons in structured values such as N and ADR.
# vcf 2.1.2 (npm) hands out the backslashes, and cuts the street "Yard 1\; back" of an address in two, so that each field behind it moves one place:
# the town stands where the region is. vobject 0.9.9 (Python) decodes all of it; both keep the group of "item1.EMAIL".
# It matters because address books of phones escape every comma: names and addresses of cards that are sent around differ from what was typed.
# Wrong guess: groups get lost, since only few programs write them, and escapes are what every reader knows.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" vcf@2.1.2 >/dev/null
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check vobject==0.9.9
printf '%s\r\n' BEGIN:VCARD VERSION:3.0 'N:Roe;Joe;;Dr.;' 'FN:Roe\, Dr. Joe' 'item1.EMAIL:joe@home.example' 'ADR:;;Yard 1\; back;Town;Region;12345;Land' \
  'NOTE:One\nTwo' END:VCARD >card.vcf
cat >finding.mjs <<'JS'
import { readFileSync } from 'node:fs'
import vCard from 'vcf'

const card = new vCard().parse(readFileSync('card.vcf', 'utf8'))
for (const name of ['fn', 'adr', 'note', 'email']) console.log(`vcf ${name}: ${JSON.stringify(card.get(name).toJSON().slice(1))}`)
JS
cat >finding.py <<'PY'
import vobject

card = vobject.readOne(open("card.vcf", newline="").read())
print("vobject fn:", card.fn.value)
print("vobject adr:", vars(card.adr.value))
print("vobject note:", repr(card.note.value))
print("vobject email:", card.email.group, card.email.value)
PY
cat >expected.txt <<'TXT'
vcf fn: [{},"text","Roe\\, Dr. Joe"]
vcf adr: [{},"text",["","","Yard 1\\"," back","Town","Region","12345","Land"]]
vcf note: [{},"text","One\\nTwo"]
vcf email: [{"group":"item1"},"text","joe@home.example"]
vobject fn: Roe, Dr. Joe
vobject adr: {'box': '', 'extended': '', 'street': 'Yard 1; back', 'city': 'Town', 'region': 'Region', 'code': '12345', 'country': 'Land'}
vobject note: 'One\nTwo'
vobject email: item1 joe@home.example
TXT
{ node finding.mjs && venv/bin/python finding.py; } | tee seen.txt
diff expected.txt seen.txt
