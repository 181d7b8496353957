import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { HOUR, MINUTE } from "~/domain/calendar"
import { NOON } from "../../../tests/contracts/billing/billing-fixtures"
import {
  engines,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../tests/fixtures/temporary-database"
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
})
