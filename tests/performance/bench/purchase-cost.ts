import { randomBytes } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { reloadInterval } from "~/domain/payments/poll-schedule"
import { accessOn } from "../../fixtures/no-script-purchase"
import { freshDatabase, startPostgres } from "../../support/db/postgres"
import { freePort } from "../../support/server/free-port"
import { startShop, type TestServer } from "../../support/server/server-process"
import { capture } from "./capture-pages"
import { familyMeter, threadMilliseconds } from "./cpu-time"
import { postgresServer } from "./postgres-cpu-time"
import { waitingVisitor } from "./purchase"
import { startRenderer } from "./reference-servers"
import { median } from "./statistics"
import { StepwiseBuyer } from "./stepwise-buyer"

/** Buyers of a group take each step one after the other. */
const GROUP = 20
/**
 * `warmUp`: groups before the measurement. V8 compiles what a shop does all day by degrees, for some 800 purchases, and the unit is a loop
 * that is compiled for good: a shop's first purchases cost twice as much. `waiting`: buyers who wait of each kind.
 */
type Lengths = { readonly warmUp: number; readonly groups: number; readonly waiting: number }
const usual: Lengths = { warmUp: 50, groups: 5, waiting: 10 }
const quickly: Lengths = { warmUp: 12, groups: 2, waiting: 5 }
/** Looks of each of other waiting buyers before. */
const WARM_UP_LOOKS = 60
/** Seconds. A machine's speed changes within a minute, so the unit is measured right before what is counted in it. */
const RENDERS_FOR = 0.5
/** Milliseconds until jobs and messages of the last request have ended. */
const AT_REST = 1_500
const WAITS_FOR = 120_000
const PAID = "callback, provisioning and messages"
const POLLING = "17 looks with script"
const RELOADING = "two minutes without script"
const STATUS = "/checkout/api/order-status"

type Options = { readonly quick: boolean; readonly print: (text: string) => void }

/** Processor time in milliseconds of the shop with all its threads, and of PostgreSQL. */
type Spent = { readonly shop: number; readonly postgres: number }

type Row = Spent & { readonly what: string; readonly times: number }

/** Rows of one group of buyers, and the milliseconds of one `renderToString` at that time. */
type Round = { readonly rows: readonly Row[]; readonly render: number }

type Measured = { readonly stage: Stage; readonly rounds: Round[] }

/**
 * Measures what one purchase and two minutes of waiting cost in processor time, on both engines, in multiples of one
 * `renderToString` of the checkout, which is measured anew before each group of buyers. Counted are all threads of the shop and
 * all processes of PostgreSQL, which waits for its disk. Not counted are the client, and the gateway with its mailbox, which run
 * in processes of their own.
 */
export async function purchaseCost({ quick, print }: Options): Promise<void> {
  const lengths = quick ? quickly : usual
  const gateway = await startGateway()
  const postgres = await startPostgres({ isDurable: true })
  const sqlite = await startStage("SQLite", gateway, null)
  const shared = await startStage("PostgreSQL", gateway, await freshDatabase(postgres.url))
  const stages = [sqlite, shared]
  const unit = await openUnit(sqlite.shop)
  try {
    print((await purchases(stages, unit, lengths.warmUp)).map(youngLine).join("\n"))
    print((await purchases(stages, unit, lengths.groups)).map(tableOf).join("\n"))
    print(
      `  the shop's server renders it in ${(await unit.ownMilliseconds()).toFixed(3)} ms, without conform`,
    )
    const before = await unit.milliseconds()
    const waited = await Promise.all(stages.map((stage) => waiting(stage, lengths.waiting)))
    const render = (before + (await unit.milliseconds())) / 2
    for (const [nth, lines] of waited.entries()) print(waitingLines(stages[nth]?.name ?? "", lines, render))
  } finally {
    await unit.close()
    for (const { shop } of stages) await shop.stop()
    await gateway.stop()
    await postgres.stop()
  }
}

type Gateway = {
  readonly provider: TestServer
  readonly secret: string
  readonly ports: readonly [string, string]
  readonly smtpPort: string
  stop(): Promise<unknown>
}

/**
 * Starts a gateway for each of two shops: the gateway sends its callbacks to the shop's `PUBLIC_URL`, which is the address of
 * the shop that opens a payment.
 */
async function startGateway(): Promise<Gateway> {
  const [first, second, smtpPort] = [await freePort(), await freePort(), await freePort()].map(String)
  const secret = `whsec_${randomBytes(24).toString("base64")}`
  const provider = await startShop({
    env: {
      PUBLIC_URL: `http://127.0.0.1:${first}`,
      OFFSHORE_CALLBACK_SECRET: secret,
      SANDBOX_SMTP_PORT: smtpPort ?? "",
      LOG_LEVEL: "error",
    },
  })
  return {
    provider,
    secret,
    ports: [first ?? "", second ?? ""],
    smtpPort: smtpPort ?? "",
    stop: () => provider.stop(),
  }
}

type Stage = {
  readonly name: string
  readonly shop: TestServer
  now(): Spent
}

async function startStage(name: string, gateway: Gateway, databaseUrl: string | null): Promise<Stage> {
  const shop = await startShop({
    isDurable: true,
    env: {
      PORT: gateway.ports[databaseUrl === null ? 0 : 1],
      OFFSHORE_CALLBACK_SECRET: gateway.secret,
      OFFSHORE_URL: `${gateway.provider.sandboxUrl}/offshore`,
      SMTP_URL: `smtp://127.0.0.1:${gateway.smtpPort}`,
      MAIL_FROM: "Shop <shop@example.test>",
      TRUSTED_PROXIES: "loopback",
      ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
    },
  })
  const pid = shop.pid()
  if (pid === undefined) throw new Error(`The shop on ${name} is not running`)
  const postgres = databaseUrl === null ? () => 0 : familyMeter(await postgresServer(databaseUrl))
  return {
    name,
    shop,
    now: () => ({ shop: threadMilliseconds(pid), postgres: postgres() }),
  }
}

type Unit = {
  milliseconds(): Promise<number>
  /** With the forms as the shop's server makes them. */
  ownMilliseconds(): Promise<number>
  close(): Promise<unknown>
}

/** Measures one `renderToString` of the checkout in a process of its own, as often as asked. */
async function openUnit(shop: TestServer): Promise<Unit> {
  const renderer = await startRenderer(await capture(shop.url, await waitingVisitor(shop, fromAddress(0))))
  const measured = async (render: typeof renderer.render, seconds: number) => {
    const { figures } = await render({ path: "/checkout/", seconds })
    if (figures.perCore === null) throw new Error("The renderer has not measured its processor time")
    return 1_000 / figures.perCore
  }
  await measured(renderer.render, 4 * RENDERS_FOR)
  return {
    milliseconds: () => measured(renderer.render, RENDERS_FOR),
    async ownMilliseconds() {
      await measured(renderer.renderOwn, 4 * RENDERS_FOR)
      return measured(renderer.renderOwn, RENDERS_FOR)
    },
    close: () => renderer.stop(),
  }
}

const pay = ({ page }: StepwiseBuyer) => page.submit({ button: { name: "outcome", value: "paid" } })

/** What a buyer does after a page without a following request, from the first page to the credentials. */
const acts: readonly ((buyer: StepwiseBuyer, shop: TestServer) => Promise<unknown>)[] = [
  (buyer, shop) => buyer.visit(new URL(`${shop.url}/checkout/`)),
  ({ page }) =>
    page.submit({
      button: { value: "pay" },
      fields: { plan: "3", email: `${crypto.randomUUID()}@example.test` },
    }),
  ({ page }) => page.submit({ having: "draft" }),
  pay,
]

/** Sends each request of the purchases for all buyers in turn; returns what each request has cost, summed over the buyers. */
async function buyTogether(stage: Stage, size: number): Promise<Row[]> {
  const buyers = Array.from({ length: size }, (_, nth) => new StepwiseBuyer(fromAddress(nth)))
  const rows: Row[] = []
  for (const act of acts) {
    for (const buyer of buyers) await act(buyer, stage.shop)
    rows.push(...(await sendAll(stage, buyers, act === pay)))
  }
  for (let waiting = buyers; waiting.length > 0; waiting = waiting.filter(({ page }) => !accessOn(page))) {
    for (const { page } of waiting.filter((it) => it.nextRequest === null && !accessOn(it.page)))
      await page.followRefresh()
    rows.push(...(await sendAll(stage, waiting)))
  }
  return rows
}

/**
 * Sends the next requests until each buyer has a page. After the payment the callback, the provisioning and the messages are
 * waited for, so that they do not count as part of the requests that follow.
 */
async function sendAll(stage: Stage, buyers: readonly StepwiseBuyer[], isPayment = false): Promise<Row[]> {
  const rows: Row[] = []
  while (buyers.some(({ nextRequest }) => nextRequest !== null)) {
    rows.push(await step(stage, buyers))
    if (isPayment && rows.length === 1)
      rows.push(await measured(stage, { what: PAID, times: buyers.length }, () => pause(AT_REST)))
  }
  return rows
}

/** Sends the next request of each buyer who has one. */
async function step(stage: Stage, buyers: readonly StepwiseBuyer[]): Promise<Row> {
  const going = buyers.filter(({ nextRequest }) => nextRequest !== null)
  const what = (going[0]?.nextRequest ?? "").replace(/pay_\w+/, ":payment")
  return measured(stage, { what, times: going.length }, async () => {
    for (const buyer of going) await buyer.sendNext()
  })
}

async function measured(
  stage: Stage,
  row: Pick<Row, "what" | "times">,
  work: () => Promise<unknown>,
): Promise<Row> {
  const before = stage.now()
  await work()
  const after = stage.now()
  return { ...row, shop: after.shop - before.shop, postgres: after.postgres - before.postgres }
}

/**
 * Each group takes its steps together; groups are the rounds whose median counts. The stages have theirs in turn: a shop that waits
 * two minutes for its next buyer compiles part of its code again, and a purchase costs half as much again at first.
 */
async function purchases(stages: readonly Stage[], unit: Unit, groups: number): Promise<Measured[]> {
  const all = stages.map((stage): Measured => ({ stage, rounds: [] }))
  for (let round = 0; round < groups; round++) {
    for (const { stage, rounds } of all) {
      const render = await unit.milliseconds()
      rounds.push({ render, rows: await buyTogether(stage, GROUP) })
    }
  }
  return all
}

/** What the purchases of a young shop cost, which are not in the table. */
function youngLine({ stage, rounds }: Measured): string {
  const sums = rounds.map(costOf)
  const at = (nth: number) => (sums[nth] ?? Number.NaN).toFixed(0)
  return `  ${stage.name}: of the first ${rounds.length * GROUP} purchases the first ${GROUP} cost ${at(0)} each, the sixth ${GROUP} ${at(5)}, the last ${at(sums.length - 1)}`
}

/** Shop and database together, for each purchase. */
function costOf({ rows, render }: Round): number {
  return rows.reduce((sum, { shop, postgres }) => sum + shop + postgres, 0) / GROUP / render
}

function tableOf({ stage, rounds }: Measured): string {
  const first = rounds[0]?.rows ?? []
  const each = ({ rows, render }: Round, of: (row: Row) => number) =>
    rows.reduce((sum, row) => sum + of(row), 0) / GROUP / render
  const lines = first.map(({ what }, at) => {
    const same = rounds.flatMap(({ rows, render }) =>
      rows[at]?.what === what ? [{ rows: [rows[at]], render }] : [],
    )
    return line(
      what,
      median(same.map((it) => each(it, ({ shop }) => shop))),
      median(same.map((it) => each(it, ({ postgres }) => postgres))),
    )
  })
  const sums = rounds.map(costOf)
  const total = line(
    "a purchase",
    median(rounds.map((round) => each(round, ({ shop }) => shop))),
    median(rounds.map((round) => each(round, ({ postgres }) => postgres))),
  )
  const unit = `in multiples of a renderToString of ${median(rounds.map(({ render }) => render)).toFixed(3)} ms`
  const spread = `from ${Math.min(...sums).toFixed(1)} to ${Math.max(...sums).toFixed(1)} in ${rounds.length} groups of ${GROUP}, ${unit}`
  return [line(stage.name, "shop", "PostgreSQL"), ...lines, total, `  ${spread}`, ""].join("\n")
}

function line(what: string, ...cells: (string | number)[]): string {
  const texts = cells.map((it) => (typeof it === "number" ? it.toFixed(2) : it).padStart(11))
  return `  ${what.padEnd(48)}${texts.join("")}`
}

type Looks = { readonly what: string; readonly each: Spent; readonly looks: number }

/** Some buyers wait with script, which polls, and some without, whose pages reload; each look is measured on its own. */
async function waiting(stage: Stage, number: number): Promise<Looks[]> {
  // Other buyers: a look of those that are measured could ask the gateway already.
  for (let nth = 0; nth < 2 * number; nth++)
    await lookOften(stage.shop, await abandoned(stage.shop, nth), nth % 2 === 0 ? POLLING : RELOADING)
  const buyers: StepwiseBuyer[] = []
  for (let nth = 0; nth < 2 * number; nth++) buyers.push(await abandoned(stage.shop, nth))
  const polling = pollTimes().map((at) => ({ at, what: POLLING }))
  const reloading = reloadTimes().map((at) => ({ at, what: RELOADING }))
  const looks = buyers.flatMap((buyer, nth) => {
    const kind = nth % 2 === 0 ? polling : reloading
    return kind.map(({ at, what }) => ({ at: at + (nth * 1_000) / buyers.length, what, buyer }))
  })
  const rows: Row[] = []
  const started = performance.now()
  for (const { at, what, buyer } of looks.sort((a, b) => a.at - b.at)) {
    await pause(Math.max(0, started + at - performance.now()))
    rows.push(await measured(stage, { what, times: 1 }, () => look(stage.shop, buyer, what)))
  }
  return [polling, reloading].map((kind) => {
    const what = kind[0]?.what ?? ""
    const own = rows.filter((row) => row.what === what)
    const sum = (of: (row: Row) => number) => own.reduce((all, row) => all + of(row), 0) / number
    return {
      what,
      looks: kind.length,
      each: { shop: sum((it) => it.shop), postgres: sum((it) => it.postgres) },
    }
  })
}

/** When an open page polls: after 3 s, then at intervals that grow by half a second up to 15 s (`ui/waiting/order-poller`). */
function pollTimes(): number[] {
  const times: number[] = []
  for (let at = 3_000, nth = 1; at <= WAITS_FOR; at += Math.min(15_000, 3_000 + 500 * nth), nth++)
    times.push(at)
  return times
}

/** When an open page without script reloads. */
function reloadTimes(): number[] {
  const times: number[] = []
  for (let at = reloadInterval(0, 0); at <= WAITS_FOR; at += reloadInterval(0, at)) times.push(at)
  return times
}

/** A buyer who has come back from the gateway without paying. */
async function abandoned(shop: TestServer, nth: number): Promise<StepwiseBuyer> {
  const buyer = new StepwiseBuyer(fromAddress(1_000 + nth))
  const leave = ({ page }: StepwiseBuyer) => page.submit({ button: { name: "outcome", value: "abandoned" } })
  for (const act of [...acts.slice(0, -1), leave]) {
    await act(buyer, shop)
    while (buyer.nextRequest !== null) await buyer.sendNext()
  }
  return buyer
}

async function look(shop: TestServer, buyer: StepwiseBuyer, what: string): Promise<void> {
  if (what === RELOADING) {
    await buyer.page.followRefresh()
    while (buyer.nextRequest !== null) await buyer.sendNext()
    return
  }
  await buyer.poll(new URL(`${shop.url}${STATUS}`))
}

async function lookOften(shop: TestServer, buyer: StepwiseBuyer, what: string): Promise<void> {
  for (let nth = 0; nth < WARM_UP_LOOKS; nth++) await look(shop, buyer, what)
}

function waitingLines(name: string, all: readonly Looks[], render: number): string {
  const lines = all.map(({ what, looks, each }) =>
    line(`${what} (${looks} looks)`, each.shop / render, each.postgres / render),
  )
  return [line(`${name}: waiting`, "shop", "PostgreSQL"), ...lines, ""].join("\n")
}

/** A client address per buyer, so that no rate limit applies. */
function fromAddress(nth: number): Record<string, string> {
  const number = nth + Math.trunc(Math.random() * 0xffff00)
  return { "x-forwarded-for": `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}` }
}
