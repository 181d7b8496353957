import { expect, test } from "vitest"
import { InvalidConfigError, readConfig } from "./config.server"

const secrets = { SESSION_SECRETS: "x".repeat(32) }
const byLink = { OFFSHORE_MODE: "link" }
const gateway = { OFFSHORE_URL: "https://pay.example", OFFSHORE_CALLBACK_SECRET: "whsec_b25l,whsec_dHdv" }

test("without variables uses embedded billing on localhost with the payment sandbox", () => {
  expect(readConfig({})).toMatchObject({
    BILLING: "embedded",
    GATEWAYS: ["offshore", "coinbase", "cryptomusgateway", "btcpay"],
    PORT: 3000,
    HOST: "127.0.0.1",
    PUBLIC_URL: "http://127.0.0.1:3000",
    sandbox: true,
    loopback: true,
  })
})

test("the default public URL contains the port", () => {
  expect(readConfig({ PORT: "8080" }).PUBLIC_URL).toBe("http://127.0.0.1:8080")
})

test("treats an empty variable as unset, also one of blanks", () => {
  expect(readConfig({ PORT: "", PUBLIC_URL: "" }).PORT).toBe(3000)
  expect(readConfig({ GRACE_DAYS: " " }).GRACE_DAYS).toBe(3)
})

test.each([
  [
    "a unit",
    { UPSTREAM_TIMEOUT_MS: "10s" },
    "UPSTREAM_TIMEOUT_MS: must be a number in digits, without a unit",
  ],
  ["a half", { GRACE_DAYS: "1.5" }, "GRACE_DAYS: must be a whole number"],
  ["too little", { UPSTREAM_TIMEOUT_MS: "10" }, "UPSTREAM_TIMEOUT_MS: must be at least 100"],
  ["too much", { GRACE_DAYS: "1000" }, "GRACE_DAYS: must be at most 365"],
  ["no URL", { PUBLIC_URL: "shop.example" }, "PUBLIC_URL: must be a URL, like https://shop.example"],
  [
    "no mail server",
    { SMTP_URL: "mail.example:587" },
    "SMTP_URL: must be a URL, like smtp://user:password@mail.example:587",
  ],
  [
    "a password that is no part of a URL",
    { DATABASE_URL: "postgres://shop:a#b@127.0.0.1/shop" },
    "DATABASE_URL: must be a URL: write # / ? and @ in its password as %23 %2F %3F and %40",
  ],
  ["another word", { FRAUD_CHECK: "yes" }, "FRAUD_CHECK: must be one of on, off"],
  [
    "commas for hyphens",
    { GATEWAYS: "coinbase,btcpay" },
    "GATEWAYS.0: must be names joined by hyphens, of offshore, coinbase, cryptomusgateway, btcpay",
  ],
  [
    "a URL for a host",
    { HOST: "http://0.0.0.0" },
    "HOST: must be an address or the name of a host, like 127.0.0.1, 0.0.0.0 or ::",
  ],
  ["no address", { FALLBACK_CLIENT_IP: "localhost" }, "FALLBACK_CLIENT_IP: must be an IP address"],
  ["no secret", { COINBASE_WEBHOOK_SECRET: "," }, "COINBASE_WEBHOOK_SECRET: must have at least one value"],
  [
    "a callback secret that was typed in part",
    { OFFSHORE_CALLBACK_SECRET: "whsec_b25l,whsec_…" },
    "OFFSHORE_CALLBACK_SECRET.1: must be whsec_ and base64, as the other side shows it",
  ],
  [
    "a panel's secret that was cut off",
    { PROVISIONER_SECRET: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMf" },
    "PROVISIONER_SECRET: must be whsec_ and base64, as the other side shows it",
  ],
])("says in one line what a setting with %s has to be", (_, environment, line) => {
  expect(() => readConfig(environment)).toThrow(new InvalidConfigError(`Invalid environment:\n  ${line}`))
})

test("top-ups are the usual ones unless others are named, and none with off", () => {
  const amounts = (CREDIT_TOP_UPS?: string) => readConfig({ CREDIT_TOP_UPS }).CREDIT_TOP_UPS
  expect(amounts()).toEqual([1_000, 2_500, 5_000])
  expect(amounts("20,5.50")).toEqual([550, 2_000])
  expect(amounts("off")).toEqual([])
})

test.each([
  [
    "a public URL without a gateway",
    { PUBLIC_URL: "https://shop.example", ...secrets },
    /OFFSHORE_URL.*\n.*OFFSHORE_CALLBACK_SECRET/,
  ],
  [
    "a public URL without session secrets",
    { PUBLIC_URL: "https://shop.example", ...gateway },
    /SESSION_SECRETS/,
  ],
  [
    "a gateway without a callback secret",
    { OFFSHORE_URL: "https://pay.example" },
    /OFFSHORE_CALLBACK_SECRET/,
  ],
  [
    "a public URL with a path, under which no page is",
    { PUBLIC_URL: "http://127.0.0.1:3000/checkout" },
    /PUBLIC_URL: must be scheme, host and port alone/,
  ],
  ["a public URL with a query", { PUBLIC_URL: "http://127.0.0.1:3000?x" }, /PUBLIC_URL: must be scheme/],
  ["a public URL that is none", { PUBLIC_URL: "shop.example" }, /PUBLIC_URL: /],
  ["top-ups that are no amounts", { CREDIT_TOP_UPS: "none" }, /CREDIT_TOP_UPS: must be amounts.*or off/],
  ["payment links without a merchant id", { ...gateway, ...byLink }, /OFFSHORE_MERCHANT/],
  [
    "payment links without a signing secret",
    { ...gateway, ...byLink, OFFSHORE_MERCHANT: "m_1" },
    /^(?!.*OFFSHORE_MERCHANT is).*OFFSHORE_LINK_SECRET is required/s,
  ],
  ["an unknown OFFSHORE_MODE", { OFFSHORE_MODE: "form" }, /OFFSHORE_MODE/],
  ["Coinbase without its API keys", { ...gateway, GATEWAYS: "offshore-coinbase" }, /COINBASE_KEY_ID/],
  [
    "BTCPay without its store and key",
    { ...gateway, GATEWAYS: "offshore-btcpay", BTCPAY_URL: "https://pay.example" },
    /BTCPAY_STORE.*\n.*BTCPAY_KEY.*\n.*BTCPAY_WEBHOOK_SECRET/,
  ],
  ["BTCPay without a URL", { ...gateway, GATEWAYS: "btcpay" }, /BTCPAY_URL/],
  [
    "a BTCPay URL with the sandbox and without a key",
    { SANDBOX: "on", BTCPAY_URL: "https://pay.example" },
    /BTCPAY_KEY/,
  ],
  [
    "Cryptomus without its merchant",
    { ...gateway, GATEWAYS: "offshore-cryptomusgateway" },
    /CRYPTOMUS_MERCHANT/,
  ],
  [
    "Cryptomus without its key",
    { CRYPTOMUS_MERCHANT: "m-1", GATEWAYS: "cryptomusgateway" },
    /CRYPTOMUS_PAYMENT_KEY/,
  ],
  [
    "another Cryptomus URL without a key",
    { SANDBOX: "on", CRYPTOMUS_URL: "https://x.example" },
    /PAYMENT_KEY/,
  ],
  ["an invalid callback address", { CRYPTOMUS_WEBHOOK_IPS: "pay.example" }, /CRYPTOMUS_WEBHOOK_IPS/],
  ["a panel without a URL", { PROVISIONER: "webhook" }, /PROVISIONER_URL.*\n.*PROVISIONER_SECRET/],
  ["a country service without a URL", { COUNTRY_SOURCE: "online" }, /COUNTRY_URL/],
  [
    "a country service URL without the {ip} placeholder",
    { COUNTRY_URL: "https://geo.example" },
    /COUNTRY_URL.*\{ip\}/,
  ],
  ["an invalid country code", { DEFAULT_COUNTRY: "Morocco" }, /DEFAULT_COUNTRY/],
  ["an invalid fallback address", { FALLBACK_CLIENT_IP: "nowhere" }, /FALLBACK_CLIENT_IP/],
  ["a fraud check other than on or off", { FRAUD_CHECK: "maybe" }, /FRAUD_CHECK/],
  [
    "a session secret of fewer than 32 characters",
    { SESSION_SECRETS: "short" },
    /SESSION_SECRETS.*32 characters/,
  ],
  ["an unknown gateway", { GATEWAYS: "offshore-paypal" }, /GATEWAYS/],
  ["an analytics script without a URL", { ANALYTICS_DATA: "website-id=1" }, /ANALYTICS_URL/],
  ["an analytics URL with another scheme", { ANALYTICS_URL: "javascript:alert(1)" }, /ANALYTICS_URL/],
  [
    "invalid analytics attributes",
    { ANALYTICS_URL: "https://count.example/a.js", ANALYTICS_DATA: "1234" },
    /ANALYTICS_DATA: must be like/,
  ],
  ["a port that is not a number", { PORT: "http" }, /PORT/],
  ["an unsupported currency", { CURRENCY: "JPY" }, /CURRENCY/],
  ["an unknown time zone", { TIME_ZONE: "Mars/Olympus" }, /TIME_ZONE/],
  ["a database URL of another kind than PostgreSQL", { DATABASE_URL: "mysql://x" }, /DATABASE_URL/],
  ["an upstream timeout above 30 seconds", { UPSTREAM_TIMEOUT_MS: "31000" }, /UPSTREAM_TIMEOUT_MS/],
])("rejects %s with an error that names the variable", (_, environment, named) => {
  expect(() => readConfig(environment)).toThrow(named)
})

test("disables the sandbox when a BTCPay Server is configured", () => {
  const config = readConfig({
    GATEWAYS: "btcpay",
    BTCPAY_URL: "https://pay.example/btc/",
    BTCPAY_STORE: "store",
    BTCPAY_KEY: "key",
    BTCPAY_WEBHOOK_SECRET: "new, old",
  })
  expect(config).toMatchObject({ sandbox: false, BTCPAY_URL: "https://pay.example/btc" })
  expect(config.BTCPAY_WEBHOOK_SECRET).toEqual(["new", "old"])
})

test("an error message does not contain the secret", () => {
  expect(() => readConfig({ SESSION_SECRETS: "hunter2" })).not.toThrow(/hunter2/)
})

test("with Cryptomus alone disables the sandbox and reads the callback addresses as a list", () => {
  const merchant = { CRYPTOMUS_MERCHANT: "m-1", CRYPTOMUS_PAYMENT_KEY: "key-1" }
  const config = readConfig({
    ...merchant,
    GATEWAYS: "cryptomusgateway",
    CRYPTOMUS_WEBHOOK_IPS: "91.227.144.54, 2001:db8::1",
  })
  expect(config).toMatchObject({ sandbox: false, GATEWAYS: ["cryptomusgateway"] })
  expect(config.CRYPTOMUS_WEBHOOK_IPS).toEqual(["91.227.144.54", "2001:db8::1"])
})

test("SANDBOX=on enables the sandbox for a public URL", () => {
  const config = readConfig({ PUBLIC_URL: "https://shop.example", SANDBOX: "on", ...secrets })
  expect(config.sandbox).toBe(true)
})

test("disables the sandbox when a real gateway is configured", () => {
  const config = readConfig({ PUBLIC_URL: "https://shop.example/", ...secrets, ...gateway })
  expect(config).toMatchObject({ sandbox: false, PUBLIC_URL: "https://shop.example" })
  expect(config.OFFSHORE_CALLBACK_SECRET).toEqual(["whsec_b25l", "whsec_dHdv"])
})

test("opens payments through the gateway's API by default", () => {
  expect(readConfig({ ...secrets, ...gateway })).toMatchObject({ OFFSHORE_MODE: "api" })
})

test("OFFSHORE_MODE=link needs no account at the sandbox, and a merchant and secret at a real gateway", () => {
  expect(readConfig(byLink)).toMatchObject({ OFFSHORE_MODE: "link", sandbox: true })
  const account = { OFFSHORE_MERCHANT: "m_1", OFFSHORE_LINK_SECRET: "a-secret" }
  expect(readConfig({ ...secrets, ...gateway, ...byLink, ...account })).toMatchObject({
    OFFSHORE_MODE: "link",
    sandbox: false,
    ...account,
  })
})

test("reads the payment tolerance in percent per gateway and rejects anything else", () => {
  expect(readConfig({ PAYMENT_TOLERANCE: "offshore:1, coinbase:0.5" }).PAYMENT_TOLERANCE).toEqual({
    offshore: 100,
    coinbase: 50,
  })
  for (const nonsense of ["offshore", "piggybank:1", "offshore:1.555", "offshore:100"]) {
    expect(() => readConfig({ PAYMENT_TOLERANCE: nonsense })).toThrow(/PAYMENT_TOLERANCE: must be like/)
  }
})
