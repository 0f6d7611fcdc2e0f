// Writes the mail with each library of Rust. Its arguments are the folder to write to and the versions.
use lettre::message::{header::ContentType, Attachment, Mailbox, MultiPart, SinglePart};
use mail_builder::{headers::content_type::ContentType as Type, mime::MimePart, MessageBuilder};
use std::{env, fs};

const PDF: &str = "Preisliste für Ana.pdf";

fn read(name: &str) -> String {
    fs::read_to_string(name).unwrap()
}

fn main() {
    let args: Vec<String> = env::args().collect();
    let write = |name: &str, version: &str, bytes: Vec<u8>| fs::write(format!("{}/{name}-{version}.eml", args[1]), bytes).unwrap();
    write("lettre", &args[2], lettre_mail());
    write("mail-builder", &args[3], mail_builder_mail());
}

fn lettre_mail() -> Vec<u8> {
    let from = Mailbox::new(Some(read("from-name")), "ana@shop.example".parse().unwrap());
    let logo = Attachment::new_inline_with_name("logo@shop.example".into(), "logo.png".into());
    let html = MultiPart::related()
        .singlepart(SinglePart::html(read("html")))
        .singlepart(logo.body(fs::read("logo.png").unwrap(), ContentType::parse("image/png").unwrap()));
    let invite = SinglePart::builder().header(ContentType::parse("text/calendar; method=REQUEST; charset=utf-8").unwrap()).body(read("invite.ics"));
    let alternative = MultiPart::alternative().singlepart(SinglePart::plain(read("text"))).multipart(html).singlepart(invite);
    let pdf = Attachment::new(PDF.into()).body(fs::read(PDF).unwrap(), ContentType::parse("application/pdf").unwrap());
    let message = lettre::Message::builder().from(from).to("name@mayfly.test".parse().unwrap()).subject(read("subject"));
    message.multipart(MultiPart::mixed().multipart(alternative).singlepart(pdf)).unwrap().formatted()
}

fn mail_builder_mail() -> Vec<u8> {
    let from = read("from-name");
    MessageBuilder::new()
        .from((from.as_str(), "ana@shop.example"))
        .to("name@mayfly.test")
        .subject(read("subject"))
        .body(MimePart::new(
            "multipart/mixed",
            vec![
                MimePart::new(
                    "multipart/alternative",
                    vec![
                        MimePart::new("text/plain", read("text")),
                        MimePart::new(
                            "multipart/related",
                            vec![
                                MimePart::new("text/html", read("html")),
                                MimePart::new("image/png", fs::read("logo.png").unwrap()).inline().cid("logo@shop.example"),
                            ],
                        ),
                        MimePart::new(Type::new("text/calendar").attribute("method", "REQUEST"), read("invite.ics")),
                    ],
                ),
                MimePart::new("application/pdf", fs::read(PDF).unwrap()).attachment(PDF),
            ],
        ))
        .write_to_vec()
        .unwrap()
}
