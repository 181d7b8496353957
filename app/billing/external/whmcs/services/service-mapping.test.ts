import { expect, test } from "vitest"
import { wallClock } from "../client/wall-clock"
import type { WhmcsSettings } from "../settings"
import { serviceOf } from "./service-mapping"
import { ServiceShape } from "./service-schema"

const service = {
  id: "12",
  clientid: 5,
  orderid: "9",
  pid: "3",
  regdate: "2026-06-15",
  name: "12 months",
  serverip: "192.0.2.1",
  serverhostname: "tv.example.test",
  billingcycle: "Semi-Annually",
  nextduedate: "2026-12-15",
  status: "Active",
  username: "",
  password: "",
  notes: "Staff\n— customer —\nMine",
  customfields: { customfield: [field(11, "Username", "TVA"), field(12, "Password", "1"), field(13, "MAC")] },
  configoptions: { configoption: [{ id: "2", option: "Extra", type: "quantity", value: "2" }] },
}

const hosts = { plan: "https://tv.example.test:8443", reseller: "https://panel.example.test" }
const settings = {
  fields: { username: "Username", password: "Password", mac: "MAC" },
  hosts,
} as WhmcsSettings
const known = { kind: "plan" as const, currency: "EUR" as const, product: null, settings }
const mapped = (changes: object = {}, more: object = {}) =>
  serviceOf(ServiceShape.parse({ ...service, ...changes }), {
    ...known,
    clock: wallClock("Europe/Madrid"),
    dueDays: wallClock("Europe/Madrid"),
    ...more,
  })

test("maps a service, with credentials from its custom fields until the service has its own", () => {
  expect(mapped()).toEqual({
    serviceId: "12",
    orderId: "9",
    customerId: "5",
    productId: "3",
    kind: "plan",
    name: "12 months",
    status: "Active",
    username: "TVA",
    password: "1",
    host: hosts.plan,
    connections: null,
    proxyProtection: null,
    cycle: "semiannually",
    currency: "EUR",
    deviceAddress: null,
    notes: "Mine",
    createdAt: Date.UTC(2026, 5, 14, 22),
    // Midnight in Madrid.
    paidUntil: Date.UTC(2026, 11, 14, 23),
  })
  expect(mapped({ username: "panel-1" })).toMatchObject({ username: "panel-1" })
})

test.each(["0000-00-00", "", null])("a service without a due date (%j) has no end", (nextduedate) => {
  expect(mapped({ nextduedate }).paidUntil).toBeNull()
})

test.each([
  ["Pending", "Pending"],
  ["Active", "Active"],
  ["Completed", "Active"],
  ["Suspended", "Suspended"],
  ["Terminated", "Terminated"],
  ["Cancelled", "Cancelled"],
  ["Fraud", "Cancelled"],
])("maps the WHMCS status %s to %s", (status, expected) => {
  expect(mapped({ status }).status).toBe(expected)
})

test.each([
  [
    "a host name other than the configured one gets plain http",
    "tv2.example.test",
    "http://tv2.example.test",
  ],
  ["a host with a scheme keeps it", "https://tv2.example.test/", "https://tv2.example.test"],
  ["the server's IP address replaces a missing host name", "", "http://192.0.2.1"],
])("%s", (_, serverhostname, host) => {
  expect(mapped({ serverhostname }).host).toBe(host)
})

test("a service without a server gets the configured host, or null", () => {
  const none = { serverhostname: "", serverip: "" }
  expect(mapped(none).host).toBe(hosts.plan)
  expect(mapped(none, { settings: { ...settings, hosts: { plan: null, reseller: null } } }).host).toBeNull()
})

function field(id: number, name: string, value = "") {
  return { id, name, value }
}
