import { afterEach, beforeEach, expect, test } from "vitest"
import { HOUR, MINUTE } from "~/domain/calendar"
import type { Order } from "~/domain/orders/order"
import { NOON, placed, promotions } from "../../../tests/contracts/billing/billing-fixtures"
import { type CommandLine, openCommandLine } from "../../../tests/fixtures/admin-cli"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

const DOWN = "the panel is unavailable"

test("jobs list shows parked jobs with order, reason and time of the last try", async () => {
  expect((await line.command("jobs list")).output).toBe("No parked jobs.")
  const order = await parked()
  const { exitCode, output } = await line.command("jobs list")
  expect(exitCode).toBe(0)
  expect(output).toMatch(
    new RegExp(`provision {2}order ${order.id} {2}parked after 1 try, .*12:00: ${DOWN}$`),
  )
  expect((await line.command("jobs list")).output).toBe(output)
})

test("jobs list includes failed jobs that wait for a retry, but no jobs without a try", async () => {
  await placed(line.backend, {}, promotions.free)
  const order = await failed(NOON + 10 * MINUTE)
  expect((await line.command("jobs list")).output.split("\n")).toEqual([
    expect.stringMatching(new RegExp(`order ${order.id} {2}failed 1 time, next try .*12:10: ${DOWN}$`)),
  ])
})

test("jobs retry makes a parked job due with zero tries, by job or order number", async () => {
  for (const number of [(order: Order) => order.id, async (order: Order) => (await jobOf(order)).id]) {
    const order = await parked()
    expect(await line.command(`jobs retry ${await number(order)}`)).toEqual({
      exitCode: 0,
      output: expect.stringMatching(/^1 job is due now\./),
    })
    const jobs = await line.backend.outbox.claim(NOON, HOUR, 9)
    expect(jobs).toMatchObject([{ subject: order.serviceId, tries: 0 }])
  }
})

test("order shows its parked job and the command that runs it", async () => {
  const order = await parked()
  const { output } = await line.command(`orders show ${order.id}`)
  expect(output).toMatch(new RegExp(`^Job \\S+ {2}provision {2}parked after 1 try.*: ${DOWN}$`, "m"))
  const [, command = ""] = /to run it now: npm run admin -- (.*)$/m.exec(output) ?? []
  expect(await line.command(command)).toMatchObject({ exitCode: 0 })
  expect(await line.backend.outbox.claim(NOON, HOUR, 9)).toHaveLength(1)
})

test("jobs retry --all makes all parked jobs due and leaves jobs waiting for a retry unchanged", async () => {
  await parked()
  await parked()
  await failed(NOON + HOUR)
  expect((await line.command("jobs retry --all")).output).toMatch(/^2 jobs are due now\./)
  expect(await line.backend.outbox.claim(NOON, HOUR, 9)).toHaveLength(2)
  expect((await line.command("jobs retry --all")).output).toBe("No parked jobs.")
})

test("jobs retry with a number makes a job due that waits for its next try", async () => {
  const order = await failed(NOON + HOUR)
  expect((await line.command(`jobs retry ${order.id}`)).exitCode).toBe(0)
  expect(await line.backend.outbox.claim(NOON, HOUR, 9)).toHaveLength(1)
})

test("jobs retry rejects a job that a worker is running", async () => {
  const order = await placed(line.backend, {}, promotions.free)
  await line.backend.outbox.claim(NOON, HOUR, 9)
  expect((await line.command(`jobs retry ${order.id}`)).output).toBe("Cannot retry: the job is running.")
  expect(await line.backend.outbox.claim(NOON, HOUR, 9)).toEqual([])
})

test("jobs discard stops a parked job, and jobs retry can still run it", async () => {
  const order = await parked()
  const { id } = await jobOf(order)
  expect((await line.command(`jobs discard ${order.id}`)).output).toMatch(
    `Job ${id} (provision) discarded. Order ${order.id} is unchanged.`,
  )
  expect((await line.command("jobs list")).output).toBe("No parked jobs.")
  expect((await line.command("jobs retry --all")).output).toBe("No parked jobs.")
  expect(await line.backend.outbox.claim(NOON + 24 * HOUR, HOUR, 9)).toEqual([])
  expect((await line.command(`orders show ${order.id}`)).output).toMatch(/^Job .*discarded: /m)
  expect(await line.backend.auditLog.newest({ subject: `job ${id}`, limit: 2 })).toMatchObject([
    { action: "discard-job", operator: "admin CLI", outcome: "done" },
    { outcome: "started" },
  ])
  expect((await line.command(`jobs retry ${id}`)).exitCode).toBe(0)
  expect(await line.backend.outbox.claim(NOON, HOUR, 9)).toHaveLength(1)
})

test("doctor fails for orders with a parked job and for paid orders without a provisioning job", async () => {
  expect((await line.command("doctor")).output).toMatch(/^ok {4}jobs +none parked$/m)
  const order = await parked()
  const ill = await line.command("doctor")
  expect(ill.exitCode).toBe(1)
  expect(ill.output).toMatch(
    new RegExp(`^FAIL {2}jobs +1 parked, for order ${order.id}; see "jobs list"$`, "m"),
  )
  expect(ill.output).toMatch(/^ok {4}paid orders /m)
  await line.command(`jobs discard ${order.id}`)
  const stranded = await line.command("doctor")
  expect(stranded.exitCode).toBe(1)
  expect(stranded.output).toMatch(/^ok {4}jobs +none parked$/m)
  expect(stranded.output).toMatch(
    new RegExp(
      `^FAIL {2}paid orders +1 not provisioned and without a job: ${order.id}; see "orders show NUMBER"$`,
      "m",
    ),
  )
})

test("doctor lists jobs being retried without failing", async () => {
  const order = await failed(NOON + HOUR)
  const { output } = await line.command("doctor")
  expect(output).toMatch(new RegExp(`^ {6}jobs being retried +1 failed, .*, for order ${order.id}$`, "m"))
})

test("doctor lists orders that external billing has not confirmed yet", async () => {
  expect((await line.command("doctor")).output).not.toContain("orders in transfer")
  const order = await placed(line.backend)
  line.spoil(
    `insert into external_orders (order_id, state, tries, claimed_until, poll_after) values ('${order.id}', 'wanted', 1, 0, 0)`,
  )
  expect((await line.command("doctor")).output).toMatch(
    new RegExp(`^ {6}orders in transfer +1 not yet confirmed by external billing: ${order.id}$`, "m"),
  )
})

test.each([
  ["jobs retry", 2, /^Usage: jobs retry NUMBER\|--all$/],
  ["jobs retry none --all", 2, /^Usage: jobs retry NUMBER\|--all$/],
  ["jobs retry none", 1, /^Job or order "none" not found\./],
  ["jobs discard none", 1, /^Parked job or order "none" not found\./],
])("%s fails with exit code %d and an error message", async (message, exitCode, complaint) => {
  expect(await line.command(message)).toEqual({ exitCode, output: expect.stringMatching(complaint) })
})

test("jobs discard rejects an order whose job is not parked", async () => {
  const order = await failed(NOON + HOUR)
  expect((await line.command(`jobs discard ${order.id}`)).exitCode).toBe(1)
})

const parked = () => failed(null)

/** Creates a paid order whose job has failed once. `due`: time of the retry; null: parked. */
async function failed(due: number | null): Promise<Order> {
  const order = await placed(line.backend, {}, promotions.free)
  const jobs = await line.backend.outbox.claim(NOON, HOUR, 9)
  for (const job of jobs) {
    if (job.subject === order.serviceId)
      await line.backend.outbox.reschedule(job, { at: NOON, due, reason: DOWN })
    else await line.backend.outbox.complete(job)
  }
  return order
}

async function jobOf(order: Order) {
  const [job] = await line.backend.operator.jobs(order.id)
  if (!job) throw new Error("Job not found")
  return job
}
