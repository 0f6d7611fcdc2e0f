use lettre::{Message, SmtpTransport, Transport};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mailer = SETUP;
    let mail = Message::builder()
        .from("app@shop.test".parse()?)
        .to(std::env::var("TO")?.parse()?)
        .subject("Your code")
        .body(String::from("Your code is 481516."))?;
    mailer.send(&mail)?;
    Ok(())
}
