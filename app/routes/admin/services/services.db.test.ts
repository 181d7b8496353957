import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { DAY, MINUTE } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { type OperatorRole, operatorRoles } from "~/domain/operators/operator"
import { type ServiceAction, serviceActions } from "~/domain/services/service-actions"
import type { Mailer } from "~/mail/mailer"
import {
  actOnPage,
  afterCheckOf,
  auditedOf,
  type ConsoleVisitor,
  enrolled,
  hiddenFieldsIn,
  keyOfOwnSession,
  OPERATOR_PASSWORD,
  refusalIn,
} from "../../../../tests/fixtures/console"
import { buy, buyPlan } from "../../../../tests/fixtures/purchase"
import { openTestShop, type TestShop } from "../../../../tests/fixtures/test-shop"

const acceptingMailer: Mailer = { send: async () => ({ kind: "sent", response: "250 OK" }) }

let shop: TestShop
let marta: ConsoleVisitor
beforeEach(async () => {
  shop = await openTestShop()
  marta = await enrolled(shop, "owner")
})
afterEach(() => shop.billing.close())

const SERVICES = "/admin/services"
const pageOf = (id: string) => `${SERVICES}/${id}`
const text = async (response: Promise<Response>) => (await response).text()
const act = (who: ConsoleVisitor, id: string, form: Record<string, string>) =>
  actOnPage(who, pageOf(id), { form })
const stored = async (id: string) => {
  const service = await shop.billing.billing.service(id)
  if (!service) throw new Error("The service is gone")
  return service
}

describe("the list as a CSV file", () => {
  const exported = async (who: ConsoleVisitor, changes: Record<string, string> = {}) => {
    const key = /name="key" value="([^"]+)"/.exec(await text(who.request({ path: SERVICES })))?.[1] ?? ""
    return who.request({ path: `${SERVICES}/export`, form: { key, reason: "outage", ...changes } })
  }

  test("has the services of the filter, without their passwords, and is in the audit log", async () => {
    const { serviceId, email } = await buyPlan(shop)
    const { username, password, paidUntil } = await stored(serviceId)
    const file = await exported(marta, { status: "active" })
    expect(file.headers.get("content-disposition")).toBe('attachment; filename="services.csv"')
    const lines = await file.text()
    const end = new Date(paidUntil ?? 0).toISOString()
    expect(lines).toContain(`\r\n${serviceId},`)
    expect(lines).toContain(`,Active,3,12 months,${email},${username},${end}\r\n`)
    expect(lines).not.toContain(password)
    expect(await text(exported(marta, { status: "suspended" }))).not.toContain(serviceId)
    const [entry] = await shop.billing.auditLog.newest({ limit: 1, subject: "services" })
    expect(entry).toMatchObject({ action: "export-services", outcome: "done", reason: "outage" })
  })

  test("asks for the password and a code again after ten minutes, and keeps the filter", async () => {
    shop.wait(11 * MINUTE)
    const asked = await exported(marta, { status: "active" })
    const page = await asked.text()
    expect([asked.status, page]).toEqual([422, expect.stringContaining("Type your password and a code.")])
    expect(page).toContain('name="status" value="active"')
  })

  test("is not handed out without a reason", async () => {
    const refused = await exported(marta, { reason: " ", status: "active" })
    const page = await refused.text()
    expect([refused.status, page]).toEqual([422, expect.stringContaining("Write down why.")])
    expect(page).toContain('name="status" value="active"')
  })

  test("is for owners alone", async () => {
    const support = await enrolled(shop, "support")
    expect(await text(support.request({ path: SERVICES }))).not.toContain("Download as CSV")
    const key = /name="key" value="([^"]+)"/.exec(await text(marta.request({ path: SERVICES })))?.[1] ?? ""
    const refused = await support.request({ path: `${SERVICES}/export`, form: { key, reason: "outage" } })
    expect(refused.headers.get("content-type")).not.toContain("csv")
  })
})

test("the page of a service names the plan that follows, its price and its day, until it is taken back", async () => {
  const { serviceId } = await buyPlan(shop)
  const { paidUntil } = await stored(serviceId)
  const next = async () =>
    /Next plan<\/dt>\s*<dd>([^<]+)/.exec(await text(marta.request({ path: pageOf(serviceId) })))?.[1]
  expect(await next()).toBeUndefined()
  const { billing } = shop.billing
  const target = { productId: "1", name: "Basic", cycle: "monthly", price: money(9_99, "EUR") } as const
  expect(await billing.chooseNextPlan(serviceId, target, shop.services.now())).toBe(true)
  const day = new Date(paidUntil ?? 0).toISOString().slice(0, 10)
  expect(await next()).toMatch(new RegExp(`^Basic, monthly, at €9.99, from ${day}`))
  await billing.keepPlan(serviceId, shop.services.now())
  expect(await next()).toBeUndefined()
})

test("the page of a service whose customer does not renew it says until when it works, the days of grace included", async () => {
  const { serviceId } = await buyPlan(shop)
  const said = async () =>
    /Not to be renewed<\/dt>\s*<dd>([^<]+)/.exec(await text(marta.request({ path: pageOf(serviceId) })))?.[1]
  expect(await said()).toBeUndefined()
  await shop.billing.billing.declineRenewal(serviceId, "price", shop.services.now())
  const { paidUntil } = await stored(serviceId)
  const end = new Date((paidUntil ?? 0) + 3 * DAY).toISOString().slice(0, 10)
  expect(await said()).toMatch(new RegExp(`^As said 2026-11-20 .*; works until ${end}`))
  await shop.billing.operator.suspendService(serviceId, {
    owner: "operator",
    reason: "asked",
    at: shop.services.now(),
  })
  expect(await said()).toMatch(/^As said 2026-11-20 [^;]*$/)
})

/** Another price needs a notice by mail. */
async function openShopWithMail(): Promise<void> {
  await shop.billing.close()
  shop = await openTestShop({ mailer: acceptingMailer })
  marta = await enrolled(shop, "owner")
}

const MARCH = Date.UTC(2027, 2, 1)
const announce = (serviceId: string) =>
  shop.billing.operator.movePrice(serviceId, {
    price: money(1_250, "EUR"),
    from: MARCH,
    reason: "costs",
    at: shop.services.now(),
  })

describe("the renewal price of a service", () => {
  beforeEach(openShopWithMail)

  const factOf = async (id: string) =>
    /Renewal price<\/dt>\s*<dd>([^<]+)/.exec(await text(marta.request({ path: pageOf(id) })))?.[1]
  const nowOf = async (id: string, action: string) => {
    const page = await text(marta.request({ path: pageOf(id) }))
    return new RegExp(`value="${action}".*?<dd>([^<]+)`, "s").exec(page)?.[1]
  }
  test("is on its page and in the form that changes it, before and after another is announced", async () => {
    const { serviceId } = await buyPlan(shop)
    expect(await factOf(serviceId)).toBe("€98.90")
    expect(await nowOf(serviceId, "move-price")).toBe("€98.90")
    await announce(serviceId)
    expect(await factOf(serviceId)).toBe("€98.90; €12.50 from 2027-03-01 00:00")
    expect(await nowOf(serviceId, "move-price")).toBe("€98.90; €12.50 from 2027-03-01 00:00")
    shop.wait(MARCH - shop.services.now())
    marta = await enrolled(shop, "owner", "jonas@shop.test")
    expect(await factOf(serviceId)).toBe("€12.50")
  })

  test("that was announced is taken back on its page before its day, and not from then on", async () => {
    const { serviceId } = await buyPlan(shop)
    const offers = async () =>
      (await text(marta.request({ path: pageOf(serviceId) }))).includes('value="keep-price"')
    expect(await offers()).toBe(false)
    await announce(serviceId)
    expect(await nowOf(serviceId, "keep-price")).toBe("€98.90; €12.50 from 2027-03-01 00:00")
    const { status } = await act(marta, serviceId, { action: "keep-price", reason: "typed wrongly" })
    expect([status, await factOf(serviceId), await offers()]).toEqual([303, "€98.90", false])
    expect((await auditedOf(shop, "keep-price")).at(-1)).toMatchObject({
      outcome: "done",
      reason: "typed wrongly",
    })
    await announce(serviceId)
    const page = await text(marta.request({ path: pageOf(serviceId) }))
    shop.wait(MARCH - shop.services.now())
    marta = await enrolled(shop, "owner", "jonas@shop.test")
    expect(await offers()).toBe(false)
    const late = { ...hiddenFieldsIn(page, "keep-price"), key: await keyOfOwnSession(marta), reason: "late" }
    expect((await refusalIn(marta.request({ path: pageOf(serviceId), form: late })))[1]).toMatch(
      /^Nothing was changed/,
    )
    expect(await factOf(serviceId)).toBe("€12.50")
  })
})

describe("the list of services", () => {
  test("is filtered by state, plan and end, and says which fields were not valid", async () => {
    const { serviceId } = await buyPlan(shop)
    const { productId, paidUntil } = await stored(serviceId)
    const isListed = async (query: string) =>
      (await text(marta.request({ path: `${SERVICES}?${query}` }))).includes(`${pageOf(serviceId)}"`)
    const day = (at: number) => new Date(at).toISOString().slice(0, 10)
    expect(await isListed("")).toBe(true)
    expect(await isListed("status=Active")).toBe(true)
    expect(await isListed("status=Suspended")).toBe(false)
    expect(await isListed(`product=${productId}`)).toBe(true)
    expect(await isListed("product=none")).toBe(false)
    expect(await isListed(`endsBefore=${day((paidUntil ?? 0) + DAY)}&status=Active`)).toBe(true)
    expect(await isListed(`endsBefore=${day(paidUntil ?? 0)}`)).toBe(false)
    expect(await isListed(`endsFrom=${day(paidUntil ?? 0)}`)).toBe(true)
    expect(await isListed(`endsFrom=${day((paidUntil ?? 0) + DAY)}`)).toBe(false)
    expect(await isListed("late=yes")).toBe(false)
    const invalid = await text(marta.request({ path: `${SERVICES}?endsBefore=soon&status=odd` }))
    expect(invalid).toContain("left out: Status, Ends before.")
  })

  test("has pages by key, with the filter in their addresses", async () => {
    for (let index = 0; index < 26; index++) {
      await buyPlan(shop, { key: `draft-${index}` })
      shop.wait(MINUTE)
    }
    const first = await text(marta.request({ path: `${SERVICES}?status=Active` }))
    expect(first.match(/<tr>/g)).toHaveLength(1 + 25)
    const [, older = ""] = /href="([^"]+)" rel="next"/.exec(first) ?? []
    expect(older).toMatch(/^\/checkout\/admin\/services\?status=Active&amp;older=\d+-\w+$/)
    const second = await text(marta.request({ path: older.replace("/checkout", "").replace("&amp;", "&") }))
    expect(second.match(/<tr>/g)).toHaveLength(1 + 1)
    expect(second).not.toContain('rel="next"')
  })

  test("masks e-mails for a viewer, on the list and on the page of a service", async () => {
    const { email, serviceId } = await buyPlan(shop)
    const viewer = await enrolled(shop, "viewer")
    for (const path of [SERVICES, pageOf(serviceId)]) {
      expect(await text(viewer.request({ path }))).not.toContain(email)
      expect(await text(marta.request({ path }))).toContain(email)
    }
  })
})

test("no page says of a service that nobody has paid that it has no end", async () => {
  const { order } = await buy(shop)
  const { serviceId = "" } = (await shop.billing.billing.order(order.id)) ?? {}
  for (const path of [SERVICES, pageOf(serviceId), `/admin/customers/${order.customerId}`]) {
    const page = await text(marta.request({ path }))
    expect(page).toContain("Paid until")
    expect(page).not.toContain("No end")
  }
})

describe("the page of a service", () => {
  test("has its timeline and its customer, is found by its order, and is 404 for an unknown number", async () => {
    const { id, serviceId } = await buyPlan(shop)
    for (const number of [serviceId, id]) {
      const page = await text(marta.request({ path: pageOf(number) }))
      for (const it of ["Paid time begins", "Give days", `/admin/orders/${id}`, "/admin/customers/"])
        expect(page).toContain(it)
    }
    expect((await marta.request({ path: pageOf("none") })).status).toBe(404)
    expect((await marta.request({ path: pageOf("none"), form: { action: "suspend-service" } })).status).toBe(
      404,
    )
  })

  test("days are given with a reason, which timeline and audit log keep", async () => {
    const { serviceId } = await buyPlan(shop)
    const { paidUntil } = await stored(serviceId)
    const form = { action: "extend-service", days: "3" }
    expect(await refusalIn(act(marta, serviceId, { ...form, reason: " " }))).toEqual([422, "Write down why."])
    expect(await refusalIn(act(marta, serviceId, { ...form, days: "0", reason: "x" }))).toEqual([
      422,
      "Type a number of days up to 3,650, such as 3.",
    ])
    const done = await act(marta, serviceId, { ...form, reason: "outage on Sunday" })
    expect([done.status, done.headers.get("location")]).toEqual([
      303,
      `/checkout${pageOf(serviceId)}?done=extend-service&count=3`,
    ])
    expect(await text(marta.request({ path: `${pageOf(serviceId)}?done=extend-service&count=3` }))).toContain(
      "Days given to service 12 months: 3.",
    )
    expect((await stored(serviceId)).paidUntil).toBe((paidUntil ?? 0) + 3 * DAY)
    expect(await text(marta.request({ path: pageOf(serviceId) }))).toContain("outage on Sunday")
    const entry = (await auditedOf(shop, "extend-service")).at(-1)
    expect(entry).toMatchObject({
      outcome: "done",
      subject: `service ${serviceId}`,
      reason: "outage on Sunday",
    })
    expect(JSON.parse(entry?.before ?? "")).toMatchObject({ status: "Active", paidUntil })
    expect(entry?.after).not.toContain((await stored(serviceId)).password)
  })

  test("is suspended, resumed and ended, and offers what its state allows", async () => {
    const { serviceId } = await buyPlan(shop)
    const offered = async () => {
      const page = await text(marta.request({ path: pageOf(serviceId) }))
      return serviceActions.filter((it) => page.includes(`name="action" value="${it}"`))
    }
    expect(await offered()).toEqual(
      serviceActions.filter((it) => it !== "resume-service" && it !== "keep-price"),
    )
    await act(marta, serviceId, { action: "suspend-service", reason: "asked" })
    expect((await stored(serviceId)).suspension).toMatchObject({ owner: "operator", reason: "asked" })
    expect(await offered()).toContain("resume-service")
    await act(marta, serviceId, { action: "resume-service", reason: "asked" })
    await act(marta, serviceId, { action: "terminate-service", reason: "asked" })
    expect((await stored(serviceId)).status).toBe("Terminated")
    expect(await offered()).toEqual([])
  })

  test.each([
    ["ended", { action: "terminate-service" }],
    ["given connections", { action: "set-connections", connections: "4" }],
  ])("is %s with password and code of the last ten minutes alone", async (_, fields) => {
    const { serviceId } = await buyPlan(shop)
    const before = await stored(serviceId)
    shop.wait(11 * MINUTE)
    const form = { ...fields, reason: "asked" }
    const asked = await act(marta, serviceId, form)
    const page = await asked.text()
    expect([asked.status, page]).toEqual([422, expect.stringContaining("Type your password and a code.")])
    expect(page).toContain(`id="${fields.action}-password"`)
    expect(await stored(serviceId)).toEqual(before)
    const proof = { password: OPERATOR_PASSWORD, code: marta.nextCode() }
    expect((await act(marta, serviceId, { ...form, ...proof })).status).toBe(303)
    expect(await stored(serviceId)).not.toEqual(before)
  })

  test("is suspended without password and code, since it can be resumed", async () => {
    const { serviceId } = await buyPlan(shop)
    shop.wait(11 * MINUTE)
    expect((await act(marta, serviceId, { action: "suspend-service", reason: "asked" })).status).toBe(303)
    expect((await stored(serviceId)).status).toBe("Suspended")
  })

  test("gets a device, connections and other login details at the panel", async () => {
    const { serviceId } = await buyPlan(shop)
    expect(
      await refusalIn(act(marta, serviceId, { action: "set-device", device: "box", reason: "x" })),
    ).toEqual([422, "Type a device address such as 00:1A:79:12:34:56."])
    await act(marta, serviceId, { action: "set-device", device: "00-1a-79-12-34-56", reason: "new box" })
    expect(shop.panel.received.at(-1)).toMatchObject({ what: "device" })
    await act(marta, serviceId, { action: "set-connections", connections: "4", reason: "paid in cash" })
    const { deviceAddress, connections, password } = await stored(serviceId)
    expect([deviceAddress, connections]).toEqual(["00:1A:79:12:34:56", 4])
    await act(marta, serviceId, { action: "recreate-service", reason: "leaked" })
    expect((await stored(serviceId)).password).not.toBe(password)
    const page = await text(marta.request({ path: pageOf(serviceId) }))
    for (const it of ["Device registered", "Connections changed", "New login details created", "leaked"])
      expect(page).toContain(it)
  })

  test("says that the panel did not respond, and keeps what was typed", async () => {
    const { serviceId } = await buyPlan(shop)
    shop.panel.broken = true
    const form = { action: "set-device", device: "00:1A:79:12:34:56", reason: "new box" }
    const refused = await act(marta, serviceId, form)
    const page = await refused.text()
    expect([refused.status, page]).toEqual([422, expect.stringContaining("The panel did not respond, so")])
    expect(page).toContain('value="00:1A:79:12:34:56"')
    expect((await stored(serviceId)).deviceAddress).toBeNull()
    expect(JSON.parse((await auditedOf(shop, "set-device")).at(-1)?.after ?? "")).toMatchObject({
      result: "unconfirmed",
    })
  })

  test("refuses another price that is nearer than 30 days, or without mail to announce it", async () => {
    const { serviceId } = await buyPlan(shop)
    const form = { action: "move-price", price: "12.50", reason: "costs" }
    expect(await refusalIn(act(marta, serviceId, { ...form, price: "much", from: "2027-03-01" }))).toEqual([
      422,
      "Type an amount such as 12.50, and thousands without a separator: 1000.",
    ])
    expect((await refusalIn(act(marta, serviceId, { ...form, from: "2026-12-01" })))[1]).toMatch(
      /at least 30 days/,
    )
    expect((await refusalIn(act(marta, serviceId, { ...form, from: "2027-03-01" })))[1]).toMatch(
      /sends no mail/,
    )
  })

  test("a form acts once, and not on a service that has changed since its page was opened", async () => {
    const { serviceId } = await buyPlan(shop)
    const { paidUntil } = await stored(serviceId)
    const page = await text(marta.request({ path: pageOf(serviceId) }))
    const form = { ...hiddenFieldsIn(page, "extend-service"), days: "2", reason: "outage" }
    await marta.request({ path: pageOf(serviceId), form })
    const again = await marta.request({ path: pageOf(serviceId), form })
    expect(again.headers.get("location")).toBe(`/checkout${pageOf(serviceId)}?sent-before`)
    expect((await stored(serviceId)).paidUntil).toBe((paidUntil ?? 0) + 2 * DAY)
    const late = { ...hiddenFieldsIn(page, "suspend-service"), reason: "asked" }
    expect((await refusalIn(marta.request({ path: pageOf(serviceId), form: late })))[1]).toMatch(
      /has changed since/,
    )
    expect((await stored(serviceId)).status).toBe("Active")
  })

  test.each([
    [
      { action: "extend-service", days: "2" },
      { action: "extend-service", days: "3" },
    ],
    [
      { action: "set-connections", connections: "5" },
      { action: "set-connections", connections: "4" },
    ],
    [
      { action: "set-device", device: "00:1A:79:00:00:01" },
      { action: "set-device", device: "00:1A:79:00:00:02" },
    ],
  ] as const)(
    "is changed by one of two operators at the same moment, and the other learns of it: %o",
    async (won, lost) => {
      const { serviceId } = await buyPlan(shop)
      const other = await enrolled(shop, "owner", "jonas@shop.test")
      const { paidUntil } = await stored(serviceId)
      const ends: unknown[] = []
      afterCheckOf(shop, other, async () => {
        const first = await act(marta, serviceId, { ...won, reason: "outage" })
        ends.push(first.headers.get("location"))
      })
      const second = await refusalIn(act(other, serviceId, { ...lost, reason: "outage" }))
      expect(ends).toEqual([expect.stringContaining(`/checkout${pageOf(serviceId)}?done=${won.action}`)])
      expect(second).toEqual([
        422,
        expect.stringMatching(/^This service has changed since you opened the page/),
      ])
      const after = await stored(serviceId)
      const kept = {
        "extend-service": { paidUntil: (paidUntil ?? 0) + 2 * DAY },
        "set-connections": { connections: 5 },
        "set-device": { deviceAddress: "00:1A:79:00:00:01" },
      }
      expect(after).toMatchObject(kept[won.action])
    },
  )

  test("says of a device that the panel has not confirmed that it is asked for again", async () => {
    const { serviceId } = await buyPlan(shop)
    shop.panel.broken = true
    const asked = { action: "set-device", device: "00:1A:79:00:00:01", reason: "new box" }
    expect(await refusalIn(act(marta, serviceId, asked))).toEqual([
      422,
      expect.stringContaining("It is asked again until it answers"),
    ])
    const page = await (await marta.request({ path: pageOf(serviceId) })).text()
    expect(page).toContain("00:1A:79:00:00:01 is asked of the panel, which has not confirmed it yet")
  })

  test("gets the device of one of two operators while the panel is asked, and the other learns of it", async () => {
    const { serviceId } = await buyPlan(shop)
    const other = await enrolled(shop, "owner", "jonas@shop.test")
    const register = (who: ConsoleVisitor, device: string) =>
      act(who, serviceId, { action: "set-device", device, reason: "new box" })
    const { provisioner } = shop.services
    const { setDeviceAddress } = provisioner
    const lost: (readonly [number, string | undefined])[] = []
    provisioner.setDeviceAddress = async (line) => {
      await setDeviceAddress(line)
      provisioner.setDeviceAddress = setDeviceAddress
      lost.push(await refusalIn(register(other, "00:1A:79:00:00:02")))
    }
    expect((await register(marta, "00:1A:79:00:00:01")).headers.get("location")).toContain("?done")
    expect(lost).toEqual([
      [422, expect.stringMatching(/^This service has changed since you opened the page/)],
    ])
    const registered = () =>
      shop.panel.received.filter(({ what }) => what === "device").map(({ line }) => line.deviceAddress)
    expect(registered()).toEqual(["00:1A:79:00:00:01"])
    expect((await stored(serviceId)).deviceAddress).toBe("00:1A:79:00:00:01")

    expect((await register(other, "00:1A:79:00:00:02")).headers.get("location")).toContain("?done")
    expect(registered().at(-1)).toBe("00:1A:79:00:00:02")
    expect((await stored(serviceId)).deviceAddress).toBe("00:1A:79:00:00:02")
  })

  test("covers login details, and uncovers them with reason and proof, in the audit log", async () => {
    const { serviceId } = await buyPlan(shop)
    const { password } = await stored(serviceId)
    expect(await text(marta.request({ path: pageOf(serviceId) }))).not.toContain(password)
    const form = { action: "show-credentials", reason: "asked on the phone" }
    shop.wait(11 * MINUTE)
    expect((await refusalIn(act(marta, serviceId, form)))[1]).toBe("Type your password and a code.")
    const proof = { password: OPERATOR_PASSWORD, code: marta.nextCode() }
    const shown = await act(marta, serviceId, { ...form, ...proof })
    expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining(password)])
    expect(shown.headers.get("cache-control")).toContain("no-store")
    const entry = (await auditedOf(shop, "show-credentials")).at(-1)
    expect(entry).toMatchObject({ outcome: "done", reason: "asked on the phone" })
    expect(JSON.stringify(entry)).not.toContain(password)
    const viewer = await enrolled(shop, "viewer")
    expect(await text(viewer.request({ path: pageOf(serviceId) }))).not.toContain("show-credentials")
  })

  test("shows as text what its customer has typed", async () => {
    const { serviceId } = await buyPlan(shop)
    await shop.billing.billing.setNotes(serviceId, '"><img src=x onerror=alert(1)><script>alert(1)</script>')
    const page = await text(marta.request({ path: pageOf(serviceId) }))
    expect(page).not.toMatch(/<img|<script>/i)
    expect(page).toContain("&lt;img")
  })
})

describe("each role and each action on a service", () => {
  const helpers: readonly ServiceAction[] = [
    "resume-service",
    "extend-service",
    "set-device",
    "recreate-service",
    "suspend-service",
  ]
  const allowed: Record<OperatorRole, readonly ServiceAction[]> = {
    owner: serviceActions,
    support: helpers,
    viewer: [],
  }
  const fields = { reason: "x", days: "1", device: "00:1A:79:12:34:56", connections: "3" }
  const table = operatorRoles.flatMap((role) => serviceActions.map((action) => [role, action] as const))

  /** A service in a state that allows the action. */
  async function serviceFor(action: ServiceAction): Promise<string> {
    if (action === "keep-price") await openShopWithMail()
    const { serviceId } = await buyPlan(shop)
    if (action === "keep-price") await announce(serviceId)
    const at = shop.services.now()
    if (action === "resume-service")
      await shop.billing.operator.suspendService(serviceId, { owner: "operator", reason: null, at })
    return serviceId
  }

  test.each(table)("%s, %s", async (role, action) => {
    const serviceId = await serviceFor(action)
    const who = role === "owner" ? marta : await enrolled(shop, role)
    const may = allowed[role].includes(action)
    const page = await text(who.request({ path: pageOf(serviceId) }))
    expect(page.includes(`name="action" value="${action}"`)).toBe(may)
    // The form as an owner's page has it, with a key of this operator's session from another page.
    const { seen = "" } = hiddenFieldsIn(await text(marta.request({ path: pageOf(serviceId) })), action)
    const key = await keyOfOwnSession(who)
    const form = { ...fields, price: "9.00", from: "2027-03-01", action, key, seen }
    const before = await stored(serviceId)
    const { status } = await who.request({ path: pageOf(serviceId), form })
    const outcomes = (await auditedOf(shop, action)).map(({ outcome }) => outcome)
    if (may) expect(outcomes[0]).toBe("started")
    else {
      expect([status, outcomes]).toEqual([422, ["failed"]])
      expect(await stored(serviceId)).toEqual(before)
    }
  })
})
