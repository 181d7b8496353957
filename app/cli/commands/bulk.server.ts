import type { BulkRun } from "~/billing/operators/bulk-runs"
import { type BulkKind, resendMessages, runState } from "~/domain/console/bulk"
import { ADMIN_CLI } from "~/domain/operators/operator"
import { resultColumns, resultOf } from "~/flows/admin/bulk/bulk-result.server"
import type { BulkExample, BulkFilter } from "~/flows/admin/bulk/choose-bulk.server"
import {
  type BulkProblem,
  type BulkRequest,
  beginRun,
  type PreparingServices,
  prepareBulk,
} from "~/flows/admin/bulk/start-bulk.server"
import { failedStates, jobQueryIn, jobSubjects } from "~/flows/admin/find-jobs.server"
import { csvFile } from "~/http/csv"
import { audited } from "../audited.server"
import { type Call, type Command, CommandError, UsageError } from "../command"
import { amount, counted, jsonTime, time } from "../format"
import { limitIn } from "../limit"
import { orderFilterIn, orderFilterOptions } from "../order-filter.server"
import { serviceFilterIn, serviceFilterOptions } from "./services/services.server"

const REASON = "why, for the timelines and the audit log"
const flags = { confirm: "begin; without it the rows are counted, and ten are shown" } as const

export const bulkCancel = orderCommand("cancel-order", "cancel all orders of a filter, as a job")
export const bulkResend: Command = {
  about: "send the newest message of all orders of a filter again, as a job",
  args: [],
  options: {
    ...orderFilterOptions,
    message: `the newest of this kind: ${resendMessages.join(", ")}`,
    reason: REASON,
  },
  required: ["reason"],
  flags,
  run: (call) =>
    begun(call, { list: "orders", action: "resend-mail" }, { list: "orders", filter: orderFilterIn(call) }),
}
export const bulkRetryOrders = orderCommand(
  "retry-job",
  "retry the failed jobs of all orders of a filter, as a job",
)

function orderCommand(action: "cancel-order" | "retry-job", about: string): Command {
  return {
    about,
    args: [],
    options: { ...orderFilterOptions, reason: REASON },
    required: ["reason"],
    flags,
    run: (call) => begun(call, { list: "orders", action }, { list: "orders", filter: orderFilterIn(call) }),
  }
}

export const bulkExtend: Command = {
  about: "give days to all services of a filter, as a job",
  args: [],
  options: { ...serviceFilterOptions, days: "days to add; negative to take back", reason: REASON },
  required: ["days", "reason"],
  flags: { ...flags, late: "only services whose next step is late: they are past their end" },
  run: (call) =>
    begun(
      call,
      { list: "services", action: "extend-service" },
      { list: "services", filter: serviceFilterIn(call) },
    ),
}

export const bulkRetryJobs: Command = {
  about: "retry all failed jobs of a filter, as a job",
  args: [],
  options: {
    status: `only jobs with this state: ${failedStates.join(", ")}`,
    about: `only jobs about this: ${Object.keys(jobSubjects).join(", ")}`,
    reason: REASON,
  },
  required: ["reason"],
  flags,
  run(call) {
    const { status = "", about = "" } = call.options
    const { filter, invalid } = jobQueryIn((field) => (field === "state" ? status : about))
    const [unknown] = invalid
    if (unknown) throw new UsageError(`Invalid ${unknown === "state" ? "--status" : "--about"}.`)
    return begun(call, { list: "jobs", action: "retry-job" }, { list: "jobs", filter })
  },
}

function preparingOf(
  { billing, externalBilling, now, machineNow }: Call,
  newId: () => string,
): PreparingServices {
  return {
    orders: billing.operator,
    services: billing.operator,
    clock: machineNow,
    bulk: billing.bulk,
    now: () => now,
    newId,
    // A running shop finds the job within a second.
    wakeJobs: () => {},
    hasExternalBilling: externalBilling !== null,
  }
}

/** Counts the rows, or with `--confirm` begins. */
async function begun(call: Call, kind: BulkKind, chosen: BulkFilter) {
  const { options, now } = call
  const reason = options.reason?.trim()
  if (!reason) throw new UsageError("Option --reason is required.")
  const services = preparingOf(call, () => crypto.randomUUID())
  const { reason: _, days = "", message = "", ...typed } = options
  const conditions = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== undefined))
  const isLate = call.flags.includes("late")
  const request: BulkRequest = {
    kind,
    chosen,
    conditions: isLate ? { ...conditions, late: "yes" } : conditions,
    days,
    message,
    reason,
    shownAt: now,
    count: Number.POSITIVE_INFINITY,
  }
  const prepared = await prepareBulk(services, request)
  if (prepared.problem === "days-invalid") throw new UsageError(problems["days-invalid"])
  if (prepared.problem === "message-unknown") throw new UsageError(problems["message-unknown"])
  if (prepared.problem) throw new CommandError(problems[prepared.problem])
  const { items } = prepared.chosen
  const examples = prepared.chosen.examples.map((it) => ({ item: it.item, text: exampleText(it) }))
  const data = { bulk: null, rows: items.length, examples, isBegun: false }
  if (!call.flags.includes("confirm"))
    return {
      text: [
        `${counted(items.length, "row")} would be treated. Repeat it with --confirm to begin.`,
        ...examples.map(({ item, text }) => `  ${item}  ${text}`),
      ].join("\n"),
      data,
    }
  const id = services.newId()
  const about = { action: kind.action, subject: `bulk ${id}`, reason }
  await audited(call, about, async () => {
    await beginRun(services, request, { id, operatorId: null, operator: ADMIN_CLI, ...prepared })
    return { after: { list: kind.list, conditions: request.conditions, count: items.length }, value: null }
  })
  return {
    text: `Begun with ${counted(items.length, "row")}; a running shop goes on with it. See: bulk show ${id}`,
    data: { ...data, bulk: id, isBegun: true },
  }
}

const problems: Readonly<Record<BulkProblem, string>> = {
  "reason-missing": "Option --reason is required.",
  "days-invalid": "Invalid --days: must be a number of days up to 3650.",
  "message-unknown": `Invalid --message: must be one of ${resendMessages.join(", ")}.`,
  "filter-invalid": "The filter is not valid.",
  "nothing-found": "Nothing matches.",
  "too-many": "More than 10000 rows match, or finding them takes too long: narrow the filter.",
  changed: "More rows match than were shown.",
  elsewhere: "The external billing has the state of the services: do it there.",
}

export const listBulk: Command = {
  about: "list the actions on many rows, newest first",
  args: [],
  options: { limit: "at most this many, 20 without it" },
  async run({ billing, options }) {
    const runs = await billing.bulk.newest(limitIn(options.limit, 20))
    return { text: runs.map(lineOf).join("\n") || "None.", data: { runs: runs.map(jsonRun) } }
  },
}

export const showBulk: Command = {
  about: "show how far an action on many rows has come",
  args: ["ID"],
  async run(call) {
    const run = await foundRun(call)
    return { text: lineOf(run), data: { run: jsonRun(run) } }
  },
}

export const stopBulkCommand: Command = {
  about: "stop an action on many rows: what is done stays done",
  args: ["ID"],
  options: { reason: "why, for the audit log" },
  required: ["reason"],
  audit: ({ args: [id] }) => ({ action: "stop-bulk", subject: `bulk ${id}` }),
  async run(call) {
    const { id } = await foundRun(call)
    if (!(await call.billing.bulk.stop(id, { by: ADMIN_CLI, at: call.now })))
      throw new CommandError(`Cannot stop ${id}: it has ended, or was stopped before.`)
    return { text: `Stopped: ${lineOf(await foundRun(call))}`, data: { bulk: id } }
  },
}

export const bulkResult: Command = {
  about: "write what became of each row of an action on many rows, as CSV",
  args: ["ID"],
  async run(call) {
    const { id } = await foundRun(call)
    const items: (string | null)[][] = []
    for await (const item of resultOf(call.billing, id))
      items.push(Object.values(resultColumns).map((cellOf) => cellOf(item)))
    const names = Object.keys(resultColumns)
    return {
      text: csvFile(names, items).trimEnd(),
      data: {
        rows: items.map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at] ?? null]))),
      },
    }
  },
}

async function foundRun({ billing, args: [id = ""] }: Call): Promise<BulkRun> {
  const run = await billing.bulk.find(id)
  if (!run) throw new CommandError(`Bulk action "${id}" not found.`)
  return run
}

function lineOf(run: BulkRun): string {
  const { done, skipped, waiting, started } = run.counts
  const counts = `${done} done, ${skipped} left as they were, ${waiting + started} to do`
  return [time(run.at), run.id, run.action, runState(run), counts, run.operator, run.reason].join("  ")
}

function jsonRun(run: BulkRun) {
  const { done, skipped, waiting, started } = run.counts
  return {
    bulk: run.id,
    list: run.list,
    action: run.action,
    conditions: run.conditions,
    days: run.days,
    reason: run.reason,
    operator: run.operator,
    at: jsonTime(run.at),
    state: runState(run),
    done,
    skipped,
    waiting: waiting + started,
  }
}

function exampleText(example: BulkExample): string {
  switch (example.list) {
    case "orders":
      return `${example.status}, ${amount(example.total)}`
    case "services":
      return `${example.username}, ${example.name}, ${example.status}`
    case "jobs":
      return example.orderId === null ? example.topic : `${example.topic}, order ${example.orderId}`
  }
}
