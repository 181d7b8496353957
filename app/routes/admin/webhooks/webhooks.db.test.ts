import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Webhook } from "standardwebhooks"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { HOUR, MINUTE } from "~/domain/calendar"
import {
  actOnPage,
  afterCheckOf,
  type ConsoleVisitor,
  enrolled,
  hiddenFieldsIn,
  keyOfOwnSession,
} from "../../../../tests/fixtures/console"
import { NOON, openTestShop, type TestShop } from "../../../../tests/fixtures/test-shop"

const PATH = "/admin/webhooks"
let shop: TestShop
let owner: ConsoleVisitor
let support: ConsoleVisitor
beforeEach(async () => {
  shop = await openTestShop()
  owner = await enrolled(shop, "owner")
  support = await enrolled(shop, "support")
})
afterEach(() => shop.billing.close())

const page = async (who: ConsoleVisitor, path = PATH) => (await who.request({ path })).text()
const secretIn = (text: string) => /class="mono">(whsec_[^<]+)</.exec(text)?.[1] ?? ""
const newest = async () => (await shop.billing.auditLog.newest({ limit: 1 }))[0]

async function addBy(who: ConsoleVisitor, changes: Record<string, string> = {}) {
  const form = {
    key: await keyOfOwnSession(who),
    url: "https://crm.example.com/hooks?key=hidden",
    types: "order.*",
    description: "CRM",
    reason: "new CRM",
    ...changes,
  }
  return who.request({ path: PATH, form })
}

async function added(changes: Record<string, string> = {}) {
  const answer = await addBy(owner, changes)
  const [endpoint] = (await shop.billing.webhooks.endpoints()).slice(-1)
  if (!endpoint) throw new Error("No endpoint was added")
  return { id: endpoint.id, path: `${PATH}/${endpoint.id}`, secret: secretIn(await answer.text()) }
}

/** Two published events about gateways. */
async function publishTwo() {
  const { webhooks } = shop.billing
  await webhooks.recordGateway("offshore", true, shop.services.now())
  await webhooks.recordGateway("coinbase", true, shop.services.now())
  await webhooks.publish(10)
  return webhooks.eventsAfter(0, 10)
}

const tried = { at: 0, due: null, holdUntil: null, tookMs: 12 }

describe("adding an endpoint", () => {
  test("shows its secret once, and says so in the audit log without the path of the URL", async () => {
    const answer = await addBy(owner)
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "private, no-store"])
    const secret = secretIn(await answer.text())
    expect(() => new Webhook(secret)).not.toThrow()
    const [endpoint] = await shop.billing.webhooks.endpoints()
    const pages = [await page(owner), await page(owner, `${PATH}/${endpoint?.id}`)].join()
    expect(pages).toContain("https://crm.example.com/hooks?key=hidden")
    expect(pages).not.toContain(secret)
    expect(await newest()).toMatchObject({
      action: "add-webhook",
      operator: owner.email,
      outcome: "done",
      reason: "new CRM",
      after: JSON.stringify({ webhook: endpoint?.id, host: "crm.example.com", types: ["order.*"] }),
    })
  })

  test.each([
    ["a private address", { url: "https://10.0.0.1/" }, "its address is not public"],
    ["no URL", { url: "crm" }, "it is not a URL"],
    ["a misspelt type", { types: "order.payed" }, "Choose the events that it gets."],
    ["a long description", { description: "x".repeat(201) }, "at most 200 characters"],
    ["no reason", { reason: " " }, "Say why"],
  ])("with %s is refused, and keeps what was typed", async (_, changes, message) => {
    const answer = await addBy(owner, changes)
    const text = await answer.text()
    expect([answer.status, text]).toEqual([422, expect.stringContaining(message)])
    const typed = { url: "https://crm.example.com/hooks?key=hidden", ...changes }.url
    expect(/<input[^>]* name="url"[^>]*>/.exec(text)?.[0]).toContain(`value="${typed}"`)
    expect(await shop.billing.webhooks.endpoints()).toEqual([])
  })

  test("by a form that is sent twice adds one endpoint, and shows no second secret", async () => {
    const key = await keyOfOwnSession(owner)
    await addBy(owner, { key })
    const again = await addBy(owner, { key })
    expect([again.status, secretIn(await again.text())]).toEqual([303, ""])
    expect(await shop.billing.webhooks.endpoints()).toHaveLength(1)
  })

  test("says that there are 50, which is the most, and adds no other", async () => {
    const others = { description: "", subscriptions: ["*"], sealedSecret: "sealed", at: NOON } as const
    for (let nth = 1; nth < 50; nth++)
      await shop.billing.webhooks.addEndpoint({ ...others, id: `whe_${nth}`, url: "https://a.example.com/" })
    expect((await addBy(owner)).status).toBe(200)
    const answer = await addBy(owner)
    expect([answer.status, await answer.text()]).toEqual([
      422,
      expect.stringContaining("There are 50 endpoints, which is the most."),
    ])
    expect(await shop.billing.webhooks.endpoints()).toHaveLength(50)
  })

  test("asks for password and code once the last ones are 10 minutes old", async () => {
    shop.wait(11 * MINUTE)
    const answer = await addBy(owner)
    expect([answer.status, await answer.text()]).toEqual([
      422,
      expect.stringContaining("Type your password and a code."),
    ])
  })

  test("is for owners: support sees no form and no path of a URL, and a form of theirs is refused", async () => {
    await added({ description: "" })
    const seen = await page(support)
    expect(seen).toContain("crm.example.com")
    expect(seen).not.toContain("key=hidden")
    expect(seen).not.toContain('name="url"')
    const answer = await addBy(support)
    expect([answer.status, await answer.text()]).toEqual([
      422,
      expect.stringContaining("Your role may not do this."),
    ])
  })
})

describe("the list of endpoints", () => {
  test("says which fail, which are paused and why, and how many events wait", async () => {
    const { id, path } = await added({ types: "*" })
    const [first] = await publishTwo()
    const { webhooks } = shop.billing
    expect(await page(owner)).toMatch(/Active.*never.*data-label="Waiting events">2</s)
    await webhooks.enqueueDeliveries(id, shop.services.now(), 10)
    const failure = { state: "waiting", due: 1, status: 410, error: "status 410", response: "" } as const
    await webhooks.noteTry(id, { ...tried, ...failure, eventId: first?.event.id ?? "" })
    const listed = await page(owner)
    expect(listed).toContain("Paused: the receiver has answered 410")
    expect(listed).toMatch(/data-label="Waiting events">2</)
    expect(await page(owner, path)).not.toContain("Next try")
    await webhooks.resumeEndpoint(id, shop.services.now())
    expect(await page(owner, path)).toContain("Next try")
  })

  test("counts no event as waiting whose type the endpoint does not subscribe to", async () => {
    await added({ types: "mail.suppressed" })
    await publishTwo()
    expect(await page(owner)).toMatch(/data-label="Waiting events">0</)
  })
})

describe("the page of an endpoint", () => {
  test("shows what the receiver has answered as text, and to a viewer none of it", async () => {
    const { id, path } = await added({ types: "*" })
    const [first] = await publishTwo()
    const { webhooks } = shop.billing
    await webhooks.enqueueDeliveries(id, shop.services.now(), 10)
    const answer = { status: 500, error: "status 500", response: "<b>no</b> \u202e\u001b[2J" }
    const state = { state: "waiting", due: shop.services.now() + HOUR } as const
    await webhooks.noteTry(id, { ...tried, ...state, ...answer, eventId: first?.event.id ?? "" })
    const shown = await page(support, path)
    expect(shown).toContain("&lt;b&gt;no&lt;/b&gt; \\u202e\\u001b[2J")
    expect(shown).toContain("Next try 2026-11-20 13:00")
    const viewer = await enrolled(shop, "viewer")
    expect(await page(viewer, path)).not.toContain("&lt;b&gt;")
  })

  test("lists deliveries in a state, and older ones on further pages", async () => {
    const { id, path } = await added({ types: "*" })
    const { webhooks } = shop.billing
    for (let count = 0; count < 22; count++)
      await webhooks.recordGateway("offshore", count % 2 === 0, shop.services.now() + count)
    await webhooks.publish(100)
    await webhooks.enqueueDeliveries(id, shop.services.now(), 100)
    const idsIn = (text: string) => [...text.matchAll(/name="event" value="([^"]+)"/g)].map(([, it]) => it)
    const newestPage = await page(owner, path)
    const older = /href="\/checkout([^"]+before=\d+)"[^>]*rel="next"/.exec(newestPage)?.[1] ?? ""
    const ids = [...idsIn(newestPage), ...idsIn(await page(owner, older))]
    expect([idsIn(newestPage).length, new Set(ids).size]).toEqual([20, 22])
    expect(idsIn(await page(owner, `${path}?state=failed`))).toEqual([])
    expect(idsIn(await page(owner, `${path}?state=waiting`))).toHaveLength(20)
  })

  test("is 404 for an unknown endpoint, and a form of it leads to the list", async () => {
    expect((await owner.request({ path: `${PATH}/whe_none` })).status).toBe(404)
    const form = { action: "test-webhook", key: await keyOfOwnSession(owner) }
    const answer = await owner.request({ path: `${PATH}/whe_none`, form })
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `/checkout${PATH}?gone`])
  })
})

describe("an endpoint", () => {
  test("is edited, and keeps its secret", async () => {
    const { id, path } = await added()
    const before = await shop.billing.webhooks.endpoint(id)
    const form = {
      action: "edit-webhook",
      url: "https://crm.example.com/new",
      types: "*",
      description: "",
      reason: "moved",
    }
    const answer = await actOnPage(owner, path, { form })
    expect([answer.status, answer.headers.get("location")]).toEqual([
      303,
      `/checkout${path}?done=edit-webhook`,
    ])
    expect(await shop.billing.webhooks.endpoint(id)).toMatchObject({
      url: "https://crm.example.com/new",
      subscriptions: ["*"],
      description: "",
      sealedSecret: before?.sealedSecret,
    })
    expect(JSON.stringify(await newest())).not.toContain("hidden")
    const refused = await actOnPage(owner, path, { form: { ...form, url: "http://crm.example.com/" } })
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining("it must begin with https://"),
    ])
  })

  test("gets a new secret, which is shown once, while the former one signs too for a day", async () => {
    const { id, path, secret } = await added()
    const answer = await actOnPage(owner, path, {
      form: { action: "rotate-webhook-secret", reason: "leaked" },
    })
    const text = await answer.text()
    expect([answer.status, secretIn(text)]).toEqual([200, expect.stringMatching(/^whsec_/)])
    expect(secretIn(text)).not.toBe(secret)
    expect(text).toContain("2026-11-21 12:00")
    expect((await shop.billing.webhooks.endpoint(id))?.former?.until).toBe(shop.services.now() + 24 * HOUR)
    expect(await page(owner, path)).not.toContain(secretIn(text))
    expect(JSON.stringify(await shop.billing.auditLog.newest({ limit: 9 }))).not.toContain(secretIn(text))
  })

  test.each<Record<string, string>>([
    { action: "rotate-webhook-secret" },
    { action: "edit-webhook", url: "https://crm.example.com/new", types: "order.*", description: "CRM" },
  ])("is changed by one of two owners at the same moment, and the other learns of it: %o", async (form) => {
    const { id, path } = await added()
    const other = await enrolled(shop, "owner", "jonas@shop.test")
    const kept: unknown[] = []
    afterCheckOf(shop, other, async () => {
      await actOnPage(owner, path, { form: { ...form, reason: "leaked" } })
      kept.push(await shop.billing.webhooks.endpoint(id))
    })
    const lost = { ...form, ...(form.url && { url: "https://crm.example.com/other" }), reason: "leaked" }
    const answer = await actOnPage(other, path, { form: lost })
    expect([answer.status, await answer.text()]).toEqual([
      422,
      expect.stringContaining("The endpoint has changed meanwhile."),
    ])
    expect([await shop.billing.webhooks.endpoint(id)]).toEqual(kept)
  })

  test("is paused and resumed by support, and a form of an older page changes nothing", async () => {
    const { id, path } = await added()
    const stale = hiddenFieldsIn(await page(support, path), "pause-webhook")
    const paused = await actOnPage(support, path, { form: { action: "pause-webhook", reason: "update" } })
    expect(paused.status).toBe(303)
    expect(await shop.billing.webhooks.endpoint(id)).toMatchObject({
      state: "paused",
      pauseReason: "operator",
    })
    expect(await page(support, path)).toContain("Paused by an operator.")
    const again = await support.request({
      path,
      form: { ...stale, action: "pause-webhook", reason: "update" },
    })
    expect([again.status, await again.text()]).toEqual([
      422,
      expect.stringContaining("The endpoint has changed meanwhile."),
    ])
    await actOnPage(support, path, { form: { action: "resume-webhook", reason: "updated" } })
    expect((await shop.billing.webhooks.endpoint(id))?.state).toBe("active")
  })

  test.each([
    ["another URL", { action: "edit-webhook", url: "https://crm.example.com/new", description: "CRM" }],
    ["another description", { action: "edit-webhook", url: "https://crm.example.com/hooks?key=hidden" }],
    ["another secret", { action: "rotate-webhook-secret" }],
  ])(
    "keeps %s that one operator has set when another one sends the form of an older page",
    async (_, first) => {
      const { id, path } = await added()
      const other = await enrolled(shop, "owner", "jonas@shop.test")
      const old = await page(other, path)
      await actOnPage(owner, path, { form: { types: "order.*", reason: "moved", ...first } })
      const present = await shop.billing.webhooks.endpoint(id)
      const typed = { url: "https://crm.example.com/hooks?key=hidden", types: "order.*", description: "CRM" }
      for (const action of ["edit-webhook", "rotate-webhook-secret"]) {
        const form = { ...hiddenFieldsIn(old, action), ...typed, action, reason: "tidier" }
        const late = await other.request({ path, form })
        expect([late.status, await late.text()]).toEqual([
          422,
          expect.stringContaining("The endpoint has changed meanwhile."),
        ])
      }
      expect(await shop.billing.webhooks.endpoint(id)).toEqual(present)
    },
  )

  test("is removed by an owner only", async () => {
    const { id, path } = await added()
    const { seen = "" } = hiddenFieldsIn(await page(owner, path), "remove-webhook")
    const form = { action: "remove-webhook", reason: "gone", seen }
    const refused = await support.request({
      path,
      form: { ...form, key: await keyOfOwnSession(support) },
    })
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining("Your role may not do this."),
    ])
    const sent = { ...hiddenFieldsIn(await page(owner, path), "remove-webhook"), ...form }
    for (const told of ["removed", "sent-before"]) {
      const answer = await owner.request({ path, form: sent })
      expect([answer.status, answer.headers.get("location")]).toEqual([303, `/checkout${PATH}?${told}`])
    }
    expect(await shop.billing.webhooks.endpoint(id)).toBeNull()
  })

  test("gets one event again, or those of a time in the shop's time zone", async () => {
    const { id, path } = await added({ types: "*" })
    const [first] = await publishTwo()
    const { webhooks } = shop.billing
    await webhooks.enqueueDeliveries(id, shop.services.now(), 10)
    const eventId = first?.event.id ?? ""
    const delivered = { state: "delivered", status: 200, error: null, response: "" } as const
    await webhooks.noteTry(id, { ...tried, ...delivered, eventId })
    const form = { action: "redeliver-webhook", key: await keyOfOwnSession(support) }
    const one = await support.request({ path, form: { ...form, event: eventId } })
    expect(one.headers.get("location")).toBe(`/checkout${path}?due=1`)
    const waiting = await webhooks.deliveries(id, { state: "waiting", limit: 9 })
    expect(waiting.map((it) => it.eventId)).toContain(eventId)
    shop.wait(MINUTE)
    // Without the event of the first row.
    const span = {
      action: "redeliver-webhook",
      event: "",
      reason: "lost",
      from: "2026-11-20T12:00",
      until: "",
    }
    const all = await actOnPage(support, path, { form: span })
    expect(all.headers.get("location")).toBe(`/checkout${path}?due=2`)
    expect(await page(support, `${path}?due=2`)).toContain("2 events are sent again")
    const none = await actOnPage(support, path, { form: { ...span, until: "2026-11-20T12:00" } })
    expect([none.status, await none.text()]).toEqual([
      422,
      expect.stringContaining("Type a time that begins before it ends."),
    ])
  })
})

describe("a test event", () => {
  async function receiver(answer: (response: ServerResponse) => void) {
    const bodies: { body: string; headers: Record<string, string> }[] = []
    const server = createServer(async (request, response) => {
      let body = ""
      for await (const chunk of request) body += chunk
      bodies.push({ body, headers: request.headers as Record<string, string> })
      answer(response)
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    return { bodies, url, close: () => server.close().closeAllConnections() }
  }

  test("is sent signed, and the page shows the receiver's answer as text", async () => {
    const { bodies, url, close } = await receiver((response) =>
      response.writeHead(500).end("<script>alert(1)</script>"),
    )
    const { path, secret } = await added({ url })
    const answer = await actOnPage(support, path, { form: { action: "test-webhook" } })
    const text = await answer.text()
    close()
    expect(text).toContain("Not delivered: status 500.")
    expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;")
    // The test's clock is not that of the library.
    const { body = "", headers = {} } = bodies[0] ?? {}
    expect(headers["webhook-signature"]).toBe(
      new Webhook(secret).sign(headers["webhook-id"] ?? "", new Date(shop.services.now()), body),
    )
    expect(await newest()).toMatchObject({ action: "test-webhook", reason: null, outcome: "done" })
  })
})
