#!/usr/bin/env bash
# One expects a Date that ends in a zone of one letter, "10:00:00 Z", to be read and the next field to stay where it is: RFC 5322 section 4.3
# says that a receiver takes such a zone for -0000, and section 3.6 makes each line that is not folded a field of its own.
# mail-parser 0.11.9 (Stalwart's, the newest that Rust 1.95 builds) reads the date right and loses the field behind it, here the subject; where
# Date is the last field, it loses the letter up to its next empty line. "GMT", "+0000" or one blank behind the letter are harmless.
# It matters because Date tends to stand before Subject, and scripts write "Z" as ISO 8601 does: a test finds no subject in a mail that has one.
# Wrong guess: a zone that a parser does not know costs at most the hour.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir src
cat >Cargo.toml <<'TOML'
[package]
name = "finding"
version = "1.0.0"
edition = "2021"

[dependencies]
mail-parser = "=0.11.9"
TOML
cat >src/main.rs <<'RUST'
use mail_parser::MessageParser;

fn main() {
    for zone in ["+0000", "GMT", "Z", "Z ", "A"] {
        for date_last in [false, true] {
            let date = format!("Date: Fri, 27 Nov 2026 10:00:00 {zone}\r\n");
            let subject = "Subject: Your code\r\n";
            let fields = if date_last { format!("{subject}{date}") } else { format!("{date}{subject}") };
            let mail = format!("From: app@shop.example\r\n{fields}\r\nHello Joe,\r\n\r\nwelcome.\r\n");
            let read = MessageParser::default().parse(mail.as_bytes()).unwrap();
            println!(
                "{zone:?} {}: {} {:?} {:?}",
                if date_last { "last" } else { "before the subject" },
                read.date().unwrap().to_rfc3339(),
                read.subject(),
                read.body_text(0)
            );
        }
    }
}
RUST
cat >expected.txt <<'TXT'
"+0000" before the subject: 2026-11-27T10:00:00Z Some("Your code") Some("Hello Joe,\r\n\r\nwelcome.\r\n")
"+0000" last: 2026-11-27T10:00:00Z Some("Your code") Some("Hello Joe,\r\n\r\nwelcome.\r\n")
"GMT" before the subject: 2026-11-27T10:00:00Z Some("Your code") Some("Hello Joe,\r\n\r\nwelcome.\r\n")
"GMT" last: 2026-11-27T10:00:00Z Some("Your code") Some("Hello Joe,\r\n\r\nwelcome.\r\n")
"Z" before the subject: 2026-11-27T10:00:00Z None Some("Hello Joe,\r\n\r\nwelcome.\r\n")
"Z" last: 2026-11-27T10:00:00Z Some("Your code") Some("welcome.\r\n")
"Z " before the subject: 2026-11-27T10:00:00Z Some("Your code") Some("Hello Joe,\r\n\r\nwelcome.\r\n")
"Z " last: 2026-11-27T10:00:00Z Some("Your code") Some("Hello Joe,\r\n\r\nwelcome.\r\n")
"A" before the subject: 2026-11-27T10:00:00Z None Some("Hello Joe,\r\n\r\nwelcome.\r\n")
"A" last: 2026-11-27T10:00:00Z Some("Your code") Some("welcome.\r\n")
TXT
echo 'mail-parser 0.11.9'
CARGO_TARGET_DIR="$folder/target" cargo run --quiet | tee seen.txt
diff expected.txt seen.txt
