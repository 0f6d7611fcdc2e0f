//! Prints one line of JSON for each validator of crates.io: whether it takes each of the addresses that are its arguments.
use std::str::FromStr;
use validator::ValidateEmail;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (versions, addresses) = args.split_at(2);
    show("validator `email`", &versions[0], addresses, |address| address.validate_email());
    show("email_address", &versions[1], addresses, |address| email_address::EmailAddress::from_str(address).is_ok());
}

fn show(title: &str, version: &str, addresses: &[String], accepts: impl Fn(&String) -> bool) {
    let accepted: Vec<String> = addresses.iter().map(|address| accepts(address).to_string()).collect();
    let accepted = accepted.join(",");
    println!(r#"{{"kind":"syntax","title":"{title}","version":"{version}","accepted":[{accepted}]}}"#);
}
