import { afterEach, beforeEach, expect, test } from "vitest"
import { DAY } from "~/domain/calendar"
import { active, NOON } from "../../../../tests/contracts/billing/billing-fixtures"
import { type CommandLine, openCommandLine } from "../../../../tests/fixtures/admin-cli"

let line: CommandLine
let id: string
let order: string
beforeEach(async () => {
  line = await openCommandLine("nobody")
  const bought = await active(line.backend)
  order = bought.id
  id = bought.serviceId
  const columns = `cycle = 'monthly', term_anchor = ${NOON - DAY}, term_zone = 'UTC', term_count = 1`
  line.spoil(`update services set ${columns}, paid_until = ${NOON + 29 * DAY} where id = '${id}'`)
})
afterEach(() => line.close())

const run = async (command: string) => (await line.command(command)).output
const fails = async (command: string) => {
  const { exitCode, output } = await line.command(command)
  expect(exitCode).toBeGreaterThan(0)
  return output
}

test("services list and show name the service, its end and its customer, by the order's number too", async () => {
  expect(await run("services list")).toMatch(new RegExp(`^${id}  Active +2026-07-14 12:00  .*@`))
  expect(await run("services list --status suspended")).toBe("No services.")
  for (const number of [id, order])
    expect(await run(`services show ${number}`)).toContain(`Service ${id}  Active`)
  expect(await fails("services show none")).toBe('Service or order "none" not found.')
})

test("services suspend, resume and terminate change the state with a reason on the timeline", async () => {
  expect(await run(`services suspend ${id} --reason asked`)).toMatch(`Service ${id} is suspended.`)
  expect(await fails(`services suspend ${id} --reason asked`)).toBe(
    `Cannot change service ${id}: its status is Suspended.`,
  )
  expect(await run(`services show ${id}`)).toMatch(/suspended 2026-06-15 12:00 by operator: asked$/m)
  expect(await run(`services resume ${id} --reason mistake`)).toMatch(`Service ${id} is active.`)
  expect(await fails(`services terminate ${id} --reason left`)).toMatch("Repeat it with --confirm.")
  expect(await run(`services show ${id}`)).toContain("Active")
  expect(await run(`services terminate ${id} --reason left --confirm`)).toMatch(
    `Service ${id} is terminated.`,
  )
  expect(await run(`services show ${id}`)).toMatch(
    /Timeline[\s\S]*suspended {3}owner operator, reason asked[\s\S]*resumed {5}reason mistake[\s\S]*terminated {2}owner operator, reason left$/,
  )
})

test("services show says until when a service works whose customer does not renew it", async () => {
  const { billing } = line.backend
  await billing.declineRenewal(id, "price", NOON)
  expect(await run(`services show ${id}`)).toMatch(
    /^ {2}not to be renewed, as said 2026-06-15 12:00; works until 2026-07-17 12:00$/m,
  )
})

test("services move-price counts first, announces the price when confirmed, and is taken back", async () => {
  const [plan] = await line.backend.billing.plans()
  const all = `services move-price --product ${plan?.id} --price 12.50 --from 2026-08-01 --reason costs`
  expect(await run(all)).toBe(
    "Another price from 2026-08-01 00:00 UTC would be announced for 1 service. Repeat it with --confirm to announce it.",
  )
  expect(await run(`${all} --confirm`)).toBe(
    "Another price from 2026-08-01 00:00 UTC is announced for 1 service.",
  )
  expect(await run(`${all} --confirm`)).toMatch(/ for 0 services\.$/)
  expect(await run(`services show ${id}`)).toMatch(
    /price-announced {2}price 1250, currency EUR, .*reason costs/,
  )
  expect(await run(`services show ${id}`)).toContain("12.50 EUR from 2026-08-01 00:00")
  expect(await run("mail list")).toContain("price-announced")
  const back = `services keep-price --product ${plan?.id} --from 2026-08-01 --reason mistake`
  expect(await run(back)).toMatch(/^The price is kept for 1 service\./)
  expect(await run(`services show ${id}`)).not.toContain("12.50 EUR")
})

test("services move-price for one service counts it, announces its price once, and leaves an ended one alone", async () => {
  const one = `services move-price ${id} --price 12.50 --from 2026-08-01 --reason costs`
  expect(await run(one)).toMatch(/would be announced for 1 service/)
  expect(await run(`${one} --confirm`)).toMatch(/is announced for 1 service\.$/)
  expect(await run(`${one} --confirm`)).toMatch(/ for 0 services\.$/)
  expect(await run(`services show ${id}`)).toContain("12.50 EUR from 2026-08-01 00:00")
  await run(`services terminate ${id} --reason left --confirm`)
  expect(await fails(`${one} --confirm`)).toContain("its status is Terminated")
})

test.each([
  ["a nearer day", "NUMBER --price 9.00 --from 2026-07-01 --reason r", "at least 30 days ahead"],
  ["no service", "--price 9.00 --from 2026-08-01 --reason r", "Name one service"],
  ["both", "7 --product 1 --price 9.00 --from 2026-08-01 --reason r", "Name one service"],
  ["an unknown service", "7 --price 9.00 --from 2026-08-01 --reason r", '"7" not found'],
  ["an amount that is none", "NUMBER --price 9,000 --from 2026-08-01 --reason r", "Invalid --price"],
  ["an amount of another currency", "NUMBER --price $9.00 --from 2026-08-01 --reason r", "Invalid --price"],
  ["nothing as the price", "NUMBER --price 0.00 --from 2026-08-01 --reason r", "and not zero"],
  ["a day that is none", "--product 1 --price 9.00 --from soon --reason r", "Invalid --from"],
])("services move-price is refused with %s", async (_, given, expected) => {
  expect(await fails(`services move-price ${given.replace("NUMBER", id)}`)).toContain(expected)
})

test("services move-price is refused for a product that is not renewed, and counts none of its services", async () => {
  const [plan] = await line.backend.billing.plans()
  line.spoil(`update products set renewal_price = 'none' where id = '${plan?.id}'`)
  const rest = "--price 9.00 --from 2026-08-01 --reason r"
  expect(await fails(`services move-price --product ${plan?.id} ${rest}`)).toContain("is not renewed")
  expect(await run(`services move-price ${id} ${rest}`)).toContain("would be announced for 0 services")
})

test("services extend for all tells each customer once with --mail, and undo says so", async () => {
  const all = "services extend --active-at 2026-06-15T11:00 --days 2 --reason outage"
  line.spoil(`update services set created_at = ${NOON - DAY}`)
  const [, campaign] = /undo (\S+)$/.exec(await run(`${all} --confirm`)) ?? []
  expect(await run("mail list")).not.toContain("days-given")
  expect(await run(`${all} --confirm --mail`)).toMatch("Messages are sent for 1 service, one for each.")
  expect(await run(`${all} --confirm --mail`)).toMatch("Messages are sent for 1 service, one for each.")
  expect((await run("mail list")).match(/days-given/g)).toHaveLength(1)
  line.spoil(`update mails set tried_at = ${NOON} where name = 'days-given'`)
  expect(await run(`services undo ${campaign}`)).toBe(
    "Days taken back from 1 service. Messages about the days sent before: 1. None is sent about this.",
  )
})

test("services show says until when a payment holds a step", async () => {
  const detail = JSON.stringify({ step: "suspend", until: NOON + 3 * DAY })
  line.spoil(`insert into service_events values ('${id}', 90, 'held', ${NOON}, '${detail}')`)
  expect(await run(`services show ${id}`)).toMatch(/held {8}step suspend, until 2026-06-18 12:00$/m)
})

test.each(["-CabQ3rT5yU7iO9pAsDfGh", "--abQ3rT5yU7iO9pAsDfGh"])(
  "services undo takes an id of an earlier version, %s, which begins like an option",
  async (earlier) => {
    const all = "services extend --active-at 2026-06-15T11:00 --days 2 --reason outage"
    line.spoil(`update services set created_at = ${NOON - DAY}`)
    await run(`${all} --confirm`)
    line.spoil(
      `pragma foreign_keys = off; update term_campaigns set id = '${earlier}';
       update term_campaign_items set campaign_id = '${earlier}'`,
    )
    expect(await run(`services undo ${earlier} --json`)).toBe(
      JSON.stringify({ campaign: earlier, services: 1, mails: 0 }, null, 2),
    )
    expect(await fails(`services undo ${earlier} ${earlier}`)).toMatch("too many arguments")
  },
)

test("services extend gives days to one service", async () => {
  expect(await run(`services extend ${id} --days 3 --reason goodwill`)).toBe(
    `Service ${id} is paid until 2026-07-17 12:00.`,
  )
  expect(await run(`services extend ${id} --days -3 --reason error`)).toMatch("2026-07-14 12:00.")
})

test("services extend for all counts first, extends once when confirmed, and is undone by campaign", async () => {
  const all = "services extend --active-at 2026-06-15T11:00 --days 2 --reason outage"
  line.spoil(`update services set created_at = ${NOON - DAY}`)
  expect(await run(all)).toMatch(/^2 days would be given to 1 service that ran at 2026-06-15 11:00 UTC\./)
  expect(await run(`services show ${id}`)).toContain("paid until 2026-07-14 12:00")
  const [, campaign] = /undo (\S+)$/.exec(await run(`${all} --confirm`)) ?? []
  expect(await run(`${all} --confirm`)).toMatch(/^2 days given to 0 services/)
  expect(await run("services campaigns")).toMatch(
    `${campaign}  2 days, all products, running at 2026-06-15 11:00  1 service`,
  )
  expect(await run(`services undo ${campaign}`)).toBe("Days taken back from 1 service.")
  expect(await run(`services show ${id}`)).toContain("paid until 2026-07-14 12:00")
})

test.each([
  ["within its grace", NOON - 3 * DAY, "", /^ok {4}services past their end {2}none/m],
  [
    "past its grace",
    NOON - 5 * DAY,
    "",
    /^FAIL {2}services past their end {2}1 active a day after their grace: ID; /m,
  ],
  ["past its grace and protected", NOON - 5 * DAY, `not_before = ${NOON + DAY}`, /^ok {4}services past/m],
  [
    "past its grace and held by a payment",
    NOON - 5 * DAY,
    `held_since = ${NOON - DAY}`,
    /^ok {4}services past/m,
  ],
  ["past its grace and suspended", NOON - 5 * DAY, "status = 'Suspended'", /^ok {4}services past/m],
])("doctor names a service that is active %s", async (_, end, change, message) => {
  line.spoil(`update services set paid_until = ${end} where id = '${id}'`)
  if (change) line.spoil(`update services set ${change} where id = '${id}'`)
  expect(await run("doctor")).toMatch(new RegExp(message.source.replace("ID", id), "m"))
})

test.each([
  ["services extend --days 2 --reason x", 2, /^Usage: services extend NUMBER/],
  ["services extend ID --active-at 2026-06-01 --days 2 --reason x", 2, /^Usage/],
  ["services extend ID --product 3 --days 2 --reason x", 2, /^Usage/],
  ["services extend ID --days 0 --reason x", 2, /^Invalid --days "0"/],
  ["services extend ID --days many --reason x", 2, /^Invalid --days "many"/],
  ["services extend --active-at 2026-06-01 --days -2 --reason x", 2, /must be at least 1/],
  ["services extend --active-at 2026-06-31 --days 2 --reason x", 2, /^Invalid --active-at/],
  ["services extend --active-at 2026-06-16 --days 2 --reason x", 2, /must be in the past/],
  ["services extend ID --days 2", 2, /required option '--reason/],
  ["services suspend ID", 2, /required option '--reason/],
  ["services undo none", 1, /^Campaign "none" not found/],
])("%s fails with exit code %d", async (command, exitCode, message) => {
  const result = await line.command(command.replace("ID", id))
  expect(result).toEqual({ exitCode, output: expect.stringMatching(message) })
})

test("services choose-plan lets a shorter cycle follow, services show names it, and keep-plan takes it back", async () => {
  const year = `currency = 'GBP', cycle = 'annually', renewal_price = 9000, paid_until = ${NOON + 300 * DAY}`
  line.spoil(`update services set ${year}, term_anchor = ${NOON - 65 * DAY} where id = '${id}'`)
  const choose = `services choose-plan ${id} --product 7 --reason asked --cycle`
  expect(await fails(`${choose} quarterly`)).toMatch("cannot be changed to product 7, quarterly")
  expect(await fails(`${choose} weekly`)).toMatch('Unknown cycle "weekly"')
  expect(await run(`${choose} monthly`)).toMatch(/has Sport & "more", monthly, at 17\.00 GBP\.$/)
  expect(await run(`services show ${id}`)).toMatch(
    /^ {2}from 2027-04-\d\d .*: Sport .*, monthly, at 17\.00 GBP$/m,
  )
  expect(await run(`services keep-plan ${id} --reason mistake`)).toBe(`Service ${id} keeps its plan.`)
  expect(await fails(`services keep-plan ${id} --reason mistake`)).toMatch("has no other plan ahead")
  expect(await run(`services show ${id}`)).not.toContain("17.00 GBP")
})
