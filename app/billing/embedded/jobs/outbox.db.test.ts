import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { HOUR, MINUTE } from "~/domain/calendar"
import { NOON } from "../../../../tests/contracts/billing/billing-fixtures"
import {
  engines,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"
import { statementsOf } from "../../../../tests/support/db/statement-counter"
import { failedJobs } from "../admin/jobs.server"
import { enqueueJob, outboxOf } from "./outbox.server"

describe.each(engines)("outbox on %s", (engine) => {
  let ctx: TemporaryDatabase
  beforeEach(async () => {
    ctx = await openTemporaryDatabase(engine)
  })
  afterEach(() => ctx.close())

  const enqueue = () => enqueueJob(ctx, { topic: "provision", subject: "service", at: NOON })

  test("enqueueing a job twice for one subject creates one job", async () => {
    await enqueue()
    await enqueue()
    expect(await outboxOf(ctx).claim(NOON, MINUTE, 10)).toHaveLength(1)
  })

  test("enqueueing a completed job again does not repeat it", async () => {
    await enqueue()
    for (const job of await outboxOf(ctx).claim(NOON, MINUTE, 10)) await outboxOf(ctx).complete(job)
    await enqueue()
    expect(await outboxOf(ctx).claim(NOON + HOUR, MINUTE, 10)).toEqual([])
  })

  test("a look at a queue without a job that is due writes nothing", async () => {
    await enqueueJob(ctx, { topic: "provision", subject: "later", at: NOON, due: NOON + HOUR })
    await enqueueJob(ctx, { topic: "mail", subject: "another queue", at: NOON })
    const statements = statementsOf(ctx.db)
    expect(await outboxOf(ctx).claim(NOON, MINUTE, 10)).toEqual([])
    expect(statements).toEqual([expect.stringMatching(/^select /)])
  })

  test("a claim takes what is due longest of all topics of its queue, and of no other", async () => {
    const { claim } = outboxOf(ctx)
    for (const [index, topic] of (
      ["provision", "recreate", "renewal", "mail", "provision"] as const
    ).entries())
      await enqueueJob(ctx, { topic, subject: `subject ${index}`, at: NOON, due: NOON - index })
    await enqueueJob(ctx, { topic: "connections", subject: "later", at: NOON, due: NOON + 1 })
    const subjects = async (limit: number) => (await claim(NOON, MINUTE, limit)).map((job) => job.subject)
    expect((await subjects(2)).toSorted()).toEqual(["subject 2", "subject 4"])
    expect((await subjects(10)).toSorted()).toEqual(["subject 0", "subject 1"])
    expect(await subjects(10)).toEqual([])
    expect(await claim(NOON, MINUTE, 10, "mail")).toHaveLength(1)
  })

  test("failed jobs are read in pages, the longest waiting first, in both directions and by state", async () => {
    const { claim, reschedule } = outboxOf(ctx)
    for (const [index, due] of [NOON + HOUR, null, NOON + HOUR, null].entries()) {
      await enqueueJob(ctx, { topic: "provision", subject: `subject ${index}`, at: NOON, due: NOON })
      const [job] = await claim(NOON, MINUTE, 1)
      if (job) await reschedule(job, { at: NOON - index, due, reason: "refused" })
    }
    await enqueueJob(ctx, { topic: "provision", subject: "never tried", at: NOON })
    const read = async (range: Parameters<typeof failedJobs>[1]) =>
      (await failedJobs(ctx, range)).map(({ id, triedAt: at, state }) => ({ id, at, state }))
    const all = await read({ limit: 10 })
    expect(all.map(({ at }) => NOON - at)).toEqual([3, 2, 1, 0])
    const [, second, third] = all
    expect(await read({ limit: 1, beyond: second })).toEqual([third])
    expect(await read({ limit: 1, beyond: third, newer: true })).toEqual([second])
    const parked = await read({ limit: 10, state: "parked" })
    expect(parked.map(({ at, state }) => [NOON - at, state])).toEqual([
      [3, "parked"],
      [1, "parked"],
    ])
  })
})
