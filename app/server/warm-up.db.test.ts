import type { RequestListener } from "node:http"
import pino from "pino"
import { type RequestHandler, RouterContextProvider } from "react-router"
import { afterEach, beforeEach, expect, test } from "vitest"
import { seedIfEmpty } from "~/billing/embedded/catalogue/catalogue.server"
import { createEmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import { servicesContext, servicesOf } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { MINUTE } from "~/domain/calendar"
import { handle } from "../../tests/fixtures/shop-router"
import { openTemporaryDatabase, type TemporaryDatabase } from "../../tests/fixtures/temporary-database"
import { catalogue, openTestShop, type TestShop } from "../../tests/fixtures/test-shop"
import { statementsOf } from "../../tests/support/db/statement-counter"
import { requestListener } from "./request-listener.server"
import { warmUp } from "./warm-up.server"

/** A busy machine may make the pages slowly: they are cut off in the test of the limit alone. */
const UNHURRIED = MINUTE

let database: TemporaryDatabase
let shop: TestShop
let statements: string[]
let written: string[]
let log: pino.Logger
/** The context of each request. */
let contexts: RouterContextProvider[]

beforeEach(async () => {
  database = await openTemporaryDatabase("SQLite")
  const ctx = { db: database.db, newId: database.newId }
  await seedIfEmpty(ctx, catalogue)
  statements = statementsOf(database.db)
  shop = await openTestShop({ openBilling: async () => createEmbeddedBilling(ctx) })
  written = []
  log = pino({ level: "trace" }, { write: (line) => written.push(line) })
  contexts = []
})
afterEach(() => database.close())

function contextOf(requestLog: pino.Logger): RouterContextProvider {
  const context = new RouterContextProvider()
  context.set(servicesContext, servicesOf(shop.services, requestLog))
  contexts.push(context)
  return context
}

/** What the warm-up asks: the shop's own listener, with `page` in the place of its routes. */
function listenerOf(page: RequestHandler): RequestListener {
  const { handleOwn } = requestListener({
    services: shop.services,
    contextOf,
    log,
    handle: page,
    clientFolder: "/nowhere",
    trustedProxies: [],
    maxConcurrent: 1_000,
  })
  return handleOwn
}

test("the requests before the start are a new visitor's and a returning one's, as browsers send them", async () => {
  const answers: unknown[][] = []
  const listener = listenerOf(async (request, context) => {
    const { status, headers } = await handle(request, context)
    return new Response("<p>worth compressing</p>".repeat(100), { status, headers })
  })
  const observed: RequestListener = (incoming, outgoing) => {
    outgoing.on("finish", () => answers.push([outgoing.statusCode, outgoing.getHeader("content-encoding")]))
    listener(incoming, outgoing)
  }
  await warmUp(observed, shop.services, UNHURRIED)
  expect(answers).toEqual([
    [200, "br"],
    [200, "br"],
  ])
  const emails = contexts.map((context) => context.get(sessionContext).choices.email)
  expect(emails).toEqual([null, "visitor@shop.example"])
})

test("they write no row and no log line", async () => {
  statements.length = 0
  await warmUp(listenerOf(handle), shop.services, UNHURRIED)
  await shop.services.stepCounter.flush()
  expect(statements.length).toBeGreaterThan(0)
  expect(statements.filter((statement) => !/^\s*select /.test(statement))).toEqual([])
  expect(written).toEqual([])
})

/** Services with a gateway on the shop's own pages, whose coins are asked for. */
function askingForCoins(listed: Promise<void>) {
  const onSite = { listed, coins: async () => [], transfer: async () => null }
  const gateway = { ...shop.gateway.gateway, onSite }
  return { ...shop.services, gateways: new Map([["offshore" as const, gateway]]) }
}

test("the requests come once the gateways have listed their coins", async () => {
  const { promise: listed, resolve: list } = Promise.withResolvers<void>()
  const warm = warmUp(listenerOf(handle), askingForCoins(listed), UNHURRIED)
  await Promise.resolve()
  expect(contexts).toEqual([])
  list()
  await warm
  expect(contexts).toHaveLength(2)
})

test("a gateway that lists no coins delays the requests by a fifth of a second", async () => {
  await warmUp(listenerOf(handle), askingForCoins(new Promise(() => {})), UNHURRIED)
  expect(contexts).toHaveLength(2)
})

test("a page that fails does not stop the start", async () => {
  const failing = () => Promise.reject(new Error("the database is away"))
  await warmUp(listenerOf(failing), shop.services, UNHURRIED)
  expect(contexts).toHaveLength(2)
  expect(written).toEqual([])
})

test("a page that never comes delays the start by half a second, and no other one follows", async () => {
  const began = performance.now()
  await warmUp(
    listenerOf(() => new Promise<never>(() => {})),
    shop.services,
  )
  expect(performance.now() - began).toBeGreaterThan(450)
  expect(contexts).toHaveLength(1)
})
