/** A self-signed certificate for outside.example and 127.0.0.1 with its key, for tests only. No client trusts it. */
export const untrusted = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBrTCCAVOgAwIBAgIUEOkqvhaiTIt1Bq53WNPfMzHh4lIwCgYIKoZIzj0EAwIw
GjEYMBYGA1UEAwwPb3V0c2lkZS5leGFtcGxlMCAXDTI2MTEyNjIwMTExNVoYDzIx
MjYxMTAyMjAxMTE1WjAaMRgwFgYDVQQDDA9vdXRzaWRlLmV4YW1wbGUwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAAQui/yXAbPfhwxgSLEwidI0fnGrhcsr0iDkZvET
bB35GedchLKpFB8KE2gwGKO9p24C1pdkm9mn+OJ0PyjyCFyOo3UwczAdBgNVHQ4E
FgQUYkpLK82QHefVn0cyxtM0rRNo2oYwHwYDVR0jBBgwFoAUYkpLK82QHefVn0cy
xtM0rRNo2oYwDwYDVR0TAQH/BAUwAwEB/zAgBgNVHREEGTAXgg9vdXRzaWRlLmV4
YW1wbGWHBH8AAAEwCgYIKoZIzj0EAwIDSAAwRQIgWB2LXVjh8Cey1Q7zqrvOMBwS
3hcuYaWuje4WlKSg8hsCIQC3ioDK5mLrioahJHGuhfuPPG/ApFSevHuo6mVbY/+M
ww==
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg/txv75vsZHlhz6cK
x+WqM1Vfd/igQRQqdoMUGuGsgnahRANCAAQui/yXAbPfhwxgSLEwidI0fnGrhcsr
0iDkZvETbB35GedchLKpFB8KE2gwGKO9p24C1pdkm9mn+OJ0PyjyCFyO
-----END PRIVATE KEY-----
`,
};
