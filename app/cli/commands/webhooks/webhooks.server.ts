import {
  PENDING_LIMIT,
  type Redelivery,
  type WebhookDelivery,
  type WebhookEndpoint,
} from "~/billing/webhook-repository"
import { type Call, type Command, CommandError, UsageError } from "~/cli/command"
import { counted, jsonTime, time } from "~/cli/format"
import { limitIn } from "~/cli/limit"
import type { Instant } from "~/domain/calendar"
import { deliveryStates } from "~/domain/webhooks/delivery"
import { webhookEventTypes } from "~/domain/webhooks/event-types"
import {
  addEndpoint,
  type EndpointProblem,
  endpointChanges,
  MAX_DESCRIPTION,
  MAX_ENDPOINTS,
  rotateEndpointSecret,
} from "~/flows/webhooks/manage-endpoints.server"
import { testEndpoint } from "~/flows/webhooks/test-endpoint.server"
import type { WebhookSender } from "~/webhooks/webhook-sender"
import { newId } from "~/wiring/new-id.server"
import { openWebhookSender } from "~/wiring/webhooks.server"

const USUAL = 50

const typesHelp = "types of events, separated by commas: order.paid, order.*, or * for all"

export const addWebhook: Command = {
  about: "add an endpoint that gets events, and print its secret once",
  args: ["URL"],
  options: {
    types: `${typesHelp}; all without it`,
    description: "what it is, for the list",
    reason: "why, for the audit log",
  },
  audit: () => ({ action: "add-webhook", subject: "webhooks" }),
  async run(call) {
    const { args, options } = call
    const { types = "*", description = "" } = options
    const outcome = await addEndpoint(managing(call), { url: args[0] ?? "", types, description })
    if (outcome.kind === "invalid") throw errorOf(outcome.problem)
    const { id, secret, host, subscriptions } = outcome.added
    return {
      text: `${id} gets events from now on.\n${secret}\nThe secret verifies them. It is not shown again: webhooks rotate-secret makes a new one.`,
      data: { webhook: id, secret },
      after: { webhook: id, host, types: subscriptions },
    }
  },
}

export const listWebhooks: Command = {
  about: "list the endpoints that get events",
  args: [],
  async run({ billing }) {
    const endpoints = await billing.webhooks.endpoints()
    const pending = await Promise.all(endpoints.map((it) => billing.webhooks.pending(it)))
    return {
      text:
        endpoints.map((it, index) => `${lineOf(it)}  ${waitingText(pending[index] ?? 0)}`).join("\n") ||
        "No endpoints.",
      data: {
        webhooks: endpoints.map((it, index) => ({ ...jsonEndpoint(it), pending: pending[index] ?? 0 })),
      },
    }
  },
}

export const showWebhook: Command = {
  about: "show an endpoint",
  args: ["ID"],
  async run(call) {
    const endpoint = await endpointOf(call)
    const pending = await call.billing.webhooks.pending(endpoint)
    return {
      text: `${detailsOf(endpoint)}\n${waitingText(pending)}`,
      data: { webhook: { ...jsonEndpoint(endpoint), pending } },
    }
  },
}

export const editWebhook: Command = {
  about: "change the URL, the types or the description of an endpoint",
  args: ["ID"],
  options: {
    url: "where events go",
    types: typesHelp,
    description: "what it is, for the list",
    reason: "why, for the audit log",
  },
  audit: ofWebhook("edit-webhook"),
  async run(call) {
    const { billing, options, now } = call
    const { id } = await endpointOf(call)
    const { url, types, description } = options
    if (url === undefined && types === undefined && description === undefined)
      throw new UsageError("Give --url, --types or --description.")
    const checked = endpointChanges(senderOf(call), { url, types, description })
    if (checked.kind === "invalid") throw errorOf(checked.problem)
    await billing.webhooks.editEndpoint(id, checked.changes, now)
    return changed(call)
  },
}

export const pauseWebhook: Command = {
  about: "pause an endpoint; its events are kept for 90 days",
  args: ["ID"],
  options: { reason: "why, for the audit log" },
  audit: ofWebhook("pause-webhook"),
  async run(call) {
    const { id } = await endpointOf(call)
    if (!(await call.billing.webhooks.pauseEndpoint(id, "operator", call.now)))
      throw new CommandError(`${id} is paused already.`)
    return changed(call)
  },
}

export const resumeWebhook: Command = {
  about: "resume an endpoint: it gets what was not delivered, oldest first",
  args: ["ID"],
  options: { reason: "why, for the audit log" },
  audit: ofWebhook("resume-webhook"),
  async run(call) {
    const { id } = await endpointOf(call)
    if (!(await call.billing.webhooks.resumeEndpoint(id, call.now)))
      throw new CommandError(`${id} is not paused.`)
    return changed(call)
  },
}

export const rotateWebhookSecret: Command = {
  about: "make a new secret and print it once; for 24 hours the former one signs too",
  args: ["ID"],
  options: { reason: "why, for the audit log" },
  audit: ofWebhook("rotate-webhook-secret"),
  async run(call) {
    const endpoint = await endpointOf(call)
    const { id } = endpoint
    const made = await rotateEndpointSecret(managing(call), endpoint)
    if (!made) throw new CommandError(`${id} was changed at the same time. Nothing was done: try again.`)
    const { secret, formerUntil } = made
    return {
      text: `${secret}\nIt is not shown again. The former secret signs too until ${time(formerUntil)} UTC.`,
      data: { webhook: id, secret, formerUntil: jsonTime(formerUntil) },
      after: { webhook: id },
    }
  },
}

export const testWebhook: Command = {
  about: "send a message of the type webhook.test to an endpoint once",
  args: ["ID"],
  audit: ofWebhook("test-webhook"),
  async run(call) {
    const endpoint = await endpointOf(call)
    const { status, error, response } = await testEndpoint(managing(call), endpoint)
    const outcome = error === null ? `Delivered: status ${status}.` : `Not delivered: ${error}.`
    return {
      text: [outcome, response].filter(Boolean).join("\n"),
      data: { webhook: endpoint.id, status, error, response },
      isFailure: error !== null,
      after: { status, error },
    }
  },
}

export const removeWebhook: Command = {
  about: "remove an endpoint with its log of deliveries",
  args: ["ID"],
  options: { reason: "why, for the audit log" },
  audit: ofWebhook("remove-webhook"),
  async run(call) {
    const { id } = await endpointOf(call)
    await call.billing.webhooks.removeEndpoint(id)
    return { text: `${id} gets no more events.`, data: { webhook: id } }
  },
}

export const redeliverWebhook: Command = {
  about: "send one event again, or those of a time, also delivered ones",
  args: ["ID"],
  options: {
    event: "id of the event",
    from: "those since this day or time (2026-11-20, 2026-11-20T12:00Z), in UTC",
    to: "those before this day or time; all until now without it",
    reason: "why, for the audit log",
  },
  audit: ofWebhook("redeliver-webhook"),
  async run(call) {
    const { billing, now } = call
    const { id } = await endpointOf(call)
    const count = await billing.webhooks.redeliver(id, redeliveryOf(call), now)
    if (count === 0) throw new CommandError("There is no such event that the endpoint subscribes to.")
    return {
      text: `${counted(count, "event")} due again. A running shop sends them; a paused endpoint gets them when it is resumed.`,
      data: { webhook: id, due: count },
      after: { due: count },
    }
  },
}

export const listDeliveries: Command = {
  about: "list the deliveries of an endpoint, newest event first",
  args: ["ID"],
  options: { status: deliveryStates.join(", "), limit: `at most this many, ${USUAL} without it` },
  async run(call) {
    const { billing, options } = call
    const { id } = await endpointOf(call)
    const state = deliveryStates.find((it) => it === options.status) ?? null
    if (options.status !== undefined && state === null)
      throw new UsageError(`--status must be one of ${deliveryStates.join(", ")}.`)
    const limit = limitIn(options.limit, USUAL)
    const found = await billing.webhooks.deliveries(id, { state, limit })
    return {
      text: found.map(deliveryLine).join("\n") || "No deliveries.",
      data: { deliveries: found.map(jsonDelivery) },
    }
  },
}

function ofWebhook(action: string): NonNullable<Command["audit"]> {
  return ({ args: [id] }) => ({ action, subject: `webhook ${id}` })
}

function senderOf({ config }: Pick<Call, "config">): WebhookSender {
  const sender = openWebhookSender(config)
  if (sender) return sender
  throw new CommandError(
    "OPERATOR_SECRETS is required for webhooks, whose secrets it encrypts: random secrets of at least 32 characters, separated by commas",
  )
}

function managing(call: Call) {
  return { webhooks: call.billing.webhooks, webhookSender: senderOf(call), newId, now: call.now }
}

function errorOf(problem: EndpointProblem): UsageError | CommandError {
  switch (problem.kind) {
    case "url":
      return new UsageError(`Invalid URL: ${problem.why}.`)
    case "types":
      return new UsageError(
        `--types must be a list of ${webhookEventTypes.join(", ")}, or order.*, service.* and so on, or *.`,
      )
    case "description":
      return new UsageError(`--description must have at most ${MAX_DESCRIPTION} characters.`)
    case "too-many":
      return new CommandError(`There are ${MAX_ENDPOINTS} endpoints, which is the most.`)
  }
}

function waitingText(pending: number): string {
  return pending < PENDING_LIMIT ? `${pending} waiting` : `${pending} or more waiting`
}

function redeliveryOf({ options, now }: Call): Redelivery {
  const { event, from, to } = options
  if (event !== undefined && from === undefined && to === undefined) return { eventId: event }
  if (event === undefined && from !== undefined)
    return { from: instantOf("--from", from), until: to === undefined ? now : instantOf("--to", to) }
  throw new UsageError("Give --event ID, or --from with or without --to.")
}

function instantOf(option: string, text: string): Instant {
  const at = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) throw new UsageError(`${option} must be like 2026-11-20 or 2026-11-20T12:00Z.`)
  return at
}

async function endpointOf({ billing, args: [id = ""] }: Call): Promise<WebhookEndpoint> {
  const endpoint = await billing.webhooks.endpoint(id)
  if (!endpoint) throw new CommandError(`Webhook "${id}" not found.`)
  return endpoint
}

async function changed(call: Call) {
  const endpoint = await endpointOf(call)
  const { url: _, ...logged } = jsonEndpoint(endpoint)
  return { text: detailsOf(endpoint), data: { webhook: jsonEndpoint(endpoint) }, after: logged }
}

function stateOf({ state, pauseReason }: WebhookEndpoint): string {
  return state === "active" ? "active" : `paused (${pauseReason})`
}

function lineOf(endpoint: WebhookEndpoint): string {
  const { id, url, description, subscriptions } = endpoint
  return [id, stateOf(endpoint), subscriptions.join(","), url, description].filter(Boolean).join("  ")
}

function detailsOf(endpoint: WebhookEndpoint): string {
  const { failingSince, succeededAt, holdUntil, former } = endpoint
  return [
    lineOf(endpoint),
    `last success: ${succeededAt === null ? "none" : time(succeededAt)}`,
    failingSince === null ? null : `failing since ${time(failingSince)}`,
    holdUntil === null ? null : `nothing is sent before ${time(holdUntil)}, as the receiver has asked`,
    former === null ? null : `the former secret signs too until ${time(former.until)}`,
  ]
    .filter((it) => it !== null)
    .join("\n")
}

function jsonEndpoint(endpoint: WebhookEndpoint) {
  const { id, url, description, subscriptions, state, pauseReason } = endpoint
  return {
    webhook: id,
    url,
    description,
    types: subscriptions,
    state,
    pauseReason,
    pausedAt: jsonTimeOrNull(endpoint.pausedAt),
    failingSince: jsonTimeOrNull(endpoint.failingSince),
    succeededAt: jsonTimeOrNull(endpoint.succeededAt),
    holdUntil: jsonTimeOrNull(endpoint.holdUntil),
    createdAt: jsonTime(endpoint.createdAt),
  }
}

function jsonTimeOrNull(at: Instant | null): string | null {
  return at === null ? null : jsonTime(at)
}

function deliveryLine({ at, eventId, type, state, tries, status, error, due }: WebhookDelivery): string {
  const outcome = error ?? (status === null ? null : `status ${status}`)
  const next = due === null ? null : `due ${time(due)}`
  return [time(at), eventId, type, state, counted(tries, "try", "tries"), outcome, next]
    .filter((it) => it !== null)
    .join("  ")
}

function jsonDelivery(delivery: WebhookDelivery) {
  const { eventId, type, state, tries, status, error, response, tookMs } = delivery
  return {
    event: eventId,
    type,
    at: jsonTime(delivery.at),
    state,
    tries,
    due: jsonTimeOrNull(delivery.due),
    triedAt: jsonTimeOrNull(delivery.triedAt),
    tookMs,
    status,
    error,
    response,
  }
}
