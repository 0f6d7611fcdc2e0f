#!/usr/bin/env bash
# One expects a library that writes Content-Transfer-Encoding to write MIME-Version too: RFC 2045 section 4 requires it in every message that
# is composed by its rules, and without it a reader may take the body as it stands.
# lettre 0.11.23: `Message::builder()….body(String)` encodes "Grüße" as base64 and adds neither MIME-Version nor Content-Type, and with a
# Content-Type of the caller still no MIME-Version; `.singlepart(SinglePart::plain(…))` adds both.
# It matters to whoever shows a body by the MIME that its mail declares: what arrives is "R3LDvMOfZQ==", with no charset to read it by.
# Wrong guess: the simple call leaves nothing out, since the library adds a Date and chooses the encoding by itself.
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
lettre = { version = "=0.11.23", default-features = false, features = ["builder"] }
TOML
cat >src/main.rs <<'RUST'
use lettre::message::header::ContentType;
use lettre::message::{MessageBuilder, SinglePart};
use lettre::Message;

fn builder() -> MessageBuilder {
    Message::builder()
        .from("app@shop.example".parse().unwrap())
        .to("joe@home.example".parse().unwrap())
}

fn show(title: &str, mail: Message) {
    let text = String::from_utf8(mail.formatted()).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let mut lines: Vec<&str> = head.lines().filter(|line| line.starts_with("MIME") || line.starts_with("Content")).collect();
    lines.sort();
    println!("{title}: {lines:?} {body:?}");
}

fn main() {
    let text = String::from("Gr\u{fc}\u{df}e");
    show("body", builder().body(text.clone()).unwrap());
    show("body with a type", builder().header(ContentType::TEXT_PLAIN).body(text.clone()).unwrap());
    show("singlepart", builder().singlepart(SinglePart::plain(text)).unwrap());
}
RUST
cat >expected.txt <<'TXT'
body: ["Content-Transfer-Encoding: base64"] "R3LDvMOfZQ=="
body with a type: ["Content-Transfer-Encoding: base64", "Content-Type: text/plain; charset=utf-8"] "R3LDvMOfZQ=="
singlepart: ["Content-Transfer-Encoding: base64", "Content-Type: text/plain; charset=utf-8", "MIME-Version: 1.0"] "R3LDvMOfZQ==\r\n"
TXT
echo 'lettre 0.11.23'
CARGO_TARGET_DIR="$folder/target" cargo run --quiet | tee seen.txt
diff expected.txt seen.txt
