import { expect, test } from "vitest"
import { isAddressAllowed, problemOfUrl } from "./public-address.server"

const strict = { allow: [], loopback: false }
const sandbox = { allow: [], loopback: true }

test.each([
  "https://crm.example.com/hooks?key=1",
  "https://crm.example.com:8443/",
  "https://8.8.4.4/",
  "https://[2606:4700::6810:84e5]/",
])("%s is accepted", (url) => {
  expect(problemOfUrl(url, strict)).toBeNull()
})

test.each([
  ["http://crm.example.com/", "not-https"],
  ["http://127.0.0.1:3000/", "not-https"],
  ["ftp://crm.example.com/", "not-https"],
  ["file:///etc/passwd", "invalid"],
  ["crm.example.com", "invalid"],
  ["https://", "invalid"],
  ["https://user@crm.example.com/", "user-info"],
  ["https://user:pass@crm.example.com/", "user-info"],
  ["https://:pass@crm.example.com/", "user-info"],
  ["https://127.0.0.1/", "address"],
  ["https://2130706433/", "address"],
  ["https://0x7f000001/", "address"],
  ["https://0x7f.1/", "address"],
  ["https://0177.0.0.1/", "address"],
  ["https://127.1/", "address"],
  ["https://0/", "address"],
  ["https://%31%32%37.0.0.1/", "address"],
  ["https://①②⑦.⓪.⓪.①/", "address"],
  ["https://[::1]/", "address"],
  ["https://[::]/", "address"],
  ["https://[::ffff:127.0.0.1]/", "address"],
  ["https://[::ffff:7f00:1]/", "address"],
  ["https://[::127.0.0.1]/", "address"],
  ["https://[64:ff9b::7f00:1]/", "address"],
  ["https://[64:ff9b::808:404]/", "address"],
  ["https://[64:ff9b:1::a00:1]/", "address"],
  ["https://[2002:7f00:1::]/", "address"],
  ["https://[2001:0:7f00:1::]/", "address"],
  ["https://[fe80::1]/", "address"],
  ["https://[fc00::1]/", "address"],
  ["https://[fec0::1]/", "address"],
  ["https://[4000::1]/", "address"],
  ["https://169.254.169.254/latest/meta-data", "address"],
  ["https://10.0.0.1/", "address"],
  ["https://172.16.0.1/", "address"],
  ["https://192.168.1.1/", "address"],
  ["https://100.64.0.1/", "address"],
  ["https://198.18.0.1/", "address"],
  ["https://192.0.0.192/", "address"],
  ["https://224.0.0.1/", "address"],
  ["https://255.255.255.255/", "address"],
])("%s is refused: %s", (url, problem) => {
  expect(problemOfUrl(url, strict)).toBe(problem)
})

test.each(["http://127.0.0.1:4000/", "http://localhost:4000/", "http://[::1]:4000/", "https://127.0.0.1/"])(
  "%s is accepted in the sandbox",
  (url) => {
    expect(problemOfUrl(url, sandbox)).toBeNull()
  },
)

test.each([
  "http://crm.example.com/",
  "http://10.0.0.1/",
  "http://169.254.169.254/",
  "http://localhost.example.com/",
])("%s is refused in the sandbox too", (url) => {
  expect(problemOfUrl(url, sandbox)).toBe("not-https")
})

test("networks and addresses of WEBHOOK_ALLOW are allowed, and no others", () => {
  const policy = { allow: ["10.1.2.0/24", "fd00::5", "64:ff9b::/96"], loopback: false }
  expect(
    ["10.1.2.7", "::ffff:10.1.2.7", "fd00::5", "64:ff9b::808:404"].map((it) => isAddressAllowed(it, policy)),
  ).toEqual([true, true, true, true])
  expect(["10.1.3.7", "fd00::6", "127.0.0.1", "x"].map((it) => isAddressAllowed(it, policy))).toEqual([
    false,
    false,
    false,
    false,
  ])
})
