package main

import (
	"log"
	"net/smtp"
	"os"
)

func main() {
	from, to := "app@shop.test", []string{os.Getenv("TO")}
	mail := []byte("From: app@shop.test\r\nTo: " + to[0] + "\r\nSubject: Your code\r\n\r\nYour code is 481516.\r\n")
	err := SETUP
	if err != nil {
		log.Fatal(err)
	}
}
