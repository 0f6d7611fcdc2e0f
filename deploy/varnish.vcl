# Varnish in front of the site, behind a proxy for TLS or for plain HTTP: varnishd -a :80 -f /opt/mayfly/current/deploy/varnish.vcl
vcl 4.1;

backend mayfly {
    .host = "127.0.0.1";
    .port = "8080";
    # A wait for mail takes up to 55 s, and an event stream beats at least every 30 seconds.
    .first_byte_timeout = 75s;
    .between_bytes_timeout = 75s;
}

sub vcl_recv {
    # Varnish appends the visitor's address to what they sent: only what it sees counts. TRUST_PROXY=127.0.0.1,::1
    set req.http.X-Forwarded-For = client.ip;
    # Only files whose names change with their content are the same for everybody.
    if (req.url !~ "^/assets/") {
        return (pass);
    }
}
