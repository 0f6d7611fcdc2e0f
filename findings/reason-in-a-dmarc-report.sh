#!/usr/bin/env bash
# One expects a reader of aggregate reports to read why a receiver did not follow the policy: in RFC 7489 appendix C (and RFC 9990) `policy_evaluated`
# has any number of `reason`, each with a type and, if the receiver likes, a comment; and a report in a namespace may name its elements with a prefix.
# dmarc-report-parser 0.1.5 (npm) refuses the whole report at the first reason, "received array", where its own schema wants a text, and at a prefix
# with "Required"; a report without either it reads. dmarc-report 3.1.0 (PyPI) reads all five.
# It matters because mail of lists and forwarders gets a reason at every large receiver: just the reports with something to explain are lost.
# Wrong guess: of two reasons one is lost, and one alone is read.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" dmarc-report-parser@0.1.5 >/dev/null
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check dmarc-report==3.1.0
report() {
  cat <<XML
<?xml version="1.0" encoding="UTF-8"?>
<feedback><version>1.0</version>
<report_metadata><org_name>Home</org_name><email>dmarc@home.example</email><report_id>1</report_id>
<date_range><begin>1795737600</begin><end>1795823999</end></date_range></report_metadata>
<policy_published><domain>shop.example</domain><p>reject</p></policy_published>
<record><row><source_ip>192.0.2.1</source_ip><count>2</count>
<policy_evaluated><disposition>none</disposition><dkim>fail</dkim><spf>fail</spf>$1</policy_evaluated></row>
<identifiers><header_from>shop.example</header_from></identifiers>
<auth_results><spf><domain>list.example</domain><scope>mfrom</scope><result>pass</result></spf></auth_results></record></feedback>
XML
}
report '' >none.xml
report '<reason><type>mailing_list</type></reason>' >type.xml
report '<reason><type>mailing_list</type><comment>by list.example</comment></reason>' >comment.xml
report '<reason><type>mailing_list</type></reason><reason><type>local_policy</type></reason>' >two.xml
sed 's/<\(\/\?\)\([a-z]\)/<\1d:\2/g; s/<d:feedback/& xmlns:d="urn:ietf:params:xml:ns:dmarc-2.0"/' none.xml >prefix.xml
cat >finding.mjs <<'JS'
import { readFileSync } from 'node:fs'
import parser from 'dmarc-report-parser'

for (const name of ['none', 'type', 'comment', 'two', 'prefix']) {
  try {
    const { reports } = await parser.parseDmarcReportsFromXml([readFileSync(`${name}.xml`)])
    console.log(`${name}: dmarc-report-parser ${JSON.stringify(reports[0].record[0].row)}`)
  } catch (error) {
    const found = JSON.parse(error.message).map(({ path, message }) => `${path.slice(4).join('.')} ${message.replace(/.*, /, '')}`)
    console.log(`${name}: dmarc-report-parser ${found.join('; ')}`)
  }
}
JS
cat >expected.txt <<'TXT'
none: dmarc-report-parser {"sourceIp":"192.0.2.1","count":2,"policyEvaluated":{"disposition":"none","dkim":"fail","spf":"fail"}}
type: dmarc-report-parser policy_evaluated.0.reason.0.type received array
comment: dmarc-report-parser policy_evaluated.0.reason.0.type received array; policy_evaluated.0.reason.0.comment received array
two: dmarc-report-parser policy_evaluated.0.reason.0.type received array; policy_evaluated.0.reason.1.type received array
prefix: dmarc-report-parser  Required
none: dmarc-report 192.0.2.1
type: dmarc-report 192.0.2.1 Override mailing_list
comment: dmarc-report 192.0.2.1 Override mailing_list
two: dmarc-report 192.0.2.1 Override mailing_list Override local_policy
prefix: dmarc-report 192.0.2.1
TXT
{
  node finding.mjs
  for name in none type comment two prefix; do
    echo "$name: dmarc-report" $(COLUMNS=400 venv/bin/dmarc-report $name.xml | grep -oE '192\.0\.2\.1|Override [a-z_]+')
  done
} | tee seen.txt
diff expected.txt seen.txt
