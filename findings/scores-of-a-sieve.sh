#!/usr/bin/env bash
# One expects "5.7" and "5 points" to be 5 for the comparator i;ascii-numeric of a Sieve script, and "-3" and "high" to be more than any number: RFC
# 4790 section 9.1.1 reads the digits at the beginning, ignores what follows, and takes a text without them for positive infinity.
# sieve-rs 0.7.3 (Stalwart's) reads decimal numbers with signs, and takes what is none for less than all: 5.7 is more than 5, "5 points" is less.
# Pigeonhole of Dovecot 2.3.19 (Debian 12) does as the RFC says; where the score is a whole number, both agree.
# It matters to whoever moves a filter from one server to the other, or tests one: by the same script the same mail goes to another folder.
# Wrong guess: of 35 tests of ten extensions, those on the parts of a multipart differ, and not the comparator. (Needs root.)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
chmod 755 .
apt-get download -qq 'dovecot-core=1:2.3.19.1*' 'dovecot-sieve=1:2.3.19.1*' >/dev/null 2>&1
for package in ./*.deb; do dpkg-deb -x "$package" .; done
mkdir mail src scripts
chmod 777 mail scripts
cat >Cargo.toml <<'TOML'
[package]
name = "finding"
version = "1.0.0"
edition = "2021"

[dependencies]
sieve-rs = "=0.7.3"
TOML
cat >src/main.rs <<'RUST'
use sieve::{Compiler, Event, Input, Runtime};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let script = Compiler::new().compile(&std::fs::read(&arguments[1]).unwrap()).unwrap();
    let mail = std::fs::read(&arguments[2]).unwrap();
    let runtime = Runtime::new();
    let mut instance = runtime.filter(&mail);
    let mut input = Input::script("finding", script);
    while let Some(event) = instance.run(input) {
        if let Event::FileInto { folder, .. } = event.unwrap() {
            print!("{folder} ");
        }
        input = true.into();
    }
}
RUST
CARGO_TARGET_DIR="$folder/target" cargo build --quiet
cat >scripts/score.sieve <<'SIEVE'
require ["fileinto", "relational", "comparator-i;ascii-numeric"];
if header :value "lt" :comparator "i;ascii-numeric" "X-Score" "5" { fileinto "less"; }
if header :value "eq" :comparator "i;ascii-numeric" "X-Score" "5" { fileinto "five"; }
if header :value "gt" :comparator "i;ascii-numeric" "X-Score" "5" { fileinto "more"; }
SIEVE
pigeonhole() {
  LD_LIBRARY_PATH=usr/lib/dovecot MAIL_UID=65534 MAIL_GID=65534 MAIL_LOCATION=maildir:$folder/mail BASE_DIR=$folder/mail LOG_PATH=/dev/stderr \
    HOME=$folder/mail usr/bin/sieve-test -O scripts/score.sieve mail.eml 2>/dev/null | sed -n 's/.*store message in folder: //p' | tr '\n' ' '
}
cat >expected.txt <<'TXT'
"5": Pigeonhole five; sieve-rs five
"5.0": Pigeonhole five; sieve-rs five
"5.7": Pigeonhole five; sieve-rs more
"5 points": Pigeonhole five; sieve-rs less
"12.3": Pigeonhole more; sieve-rs more
"-3": Pigeonhole more; sieve-rs less
"high": Pigeonhole more; sieve-rs less
"": Pigeonhole more; sieve-rs less
TXT
for score in 5 5.0 5.7 '5 points' 12.3 -3 high ''; do
  printf 'From: app@shop.example\r\nX-Score: %s\r\n\r\nHello\r\n' "$score" >mail.eml
  echo "\"$score\": Pigeonhole $(pigeonhole); sieve-rs $(target/debug/finding scripts/score.sieve mail.eml)"
done | sed 's/ *;/;/; s/ *$//' | tee seen.txt
diff expected.txt seen.txt
