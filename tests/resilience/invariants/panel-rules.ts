import { jobQueues } from "~/billing/outbox"
import { byName, type PanelLine, paidStatuses, type SystemState } from "./system-state"

/** The panel has each active service once with its current values, and nothing else. */
export function panelViolations(state: SystemState): string[] {
  return state.panel
    ? [...lines(state, state.panel), ...services(state, state.panel), ...suspensions(state, state.panel)]
    : []
}

function lines({ database }: SystemState, panel: readonly PanelLine[]): string[] {
  const services = byName(database.services, ({ id }) => id)
  const orders = byName(database.orders, ({ id }) => id)
  const times = Map.groupBy(panel, ({ serviceId }) => serviceId)
  return [
    ...[...times].flatMap(([id, { length }]) =>
      length > 1 ? [`service ${id} was set up ${length} times`] : [],
    ),
    ...panel.flatMap(({ serviceId, username }) => {
      const status = orders.get(services.get(serviceId)?.order_id ?? "")?.status ?? "nobody's"
      return paidStatuses.includes(status)
        ? []
        : [`line ${username} works without payment: its order is ${status}`]
    }),
  ]
}

function services({ database }: SystemState, panel: readonly PanelLine[]): string[] {
  const lineOf = byName(panel, ({ serviceId }) => serviceId)
  const untold = expectedEvents(database)
  return database.services
    .filter(({ status }) => status === "Active")
    .flatMap(({ id, username, connections }) => {
      const line = lineOf.get(id)
      if (line?.username !== username) return [`service ${id} is not at the panel`]
      if (line.connections === connections || untold.has(id)) return []
      return [`the panel gives service ${id} ${line.connections} connections, not ${connections}`]
    })
}

/** A service that is suspended here is suspended there, and one that has ended is gone, unless a job is still to say so. */
function suspensions({ database }: SystemState, panel: readonly PanelLine[]): string[] {
  const open = database.outbox.filter(({ topic, state }) => termTopics.includes(topic) && state !== "done")
  const untold = new Set(open.map(({ subject }) => subject))
  const services = byName(database.services, ({ id }) => id)
  return panel.flatMap(({ serviceId, isSuspended }) => {
    const status = services.get(serviceId)?.status
    if (isSuspended === undefined || untold.has(serviceId)) return []
    if (isSuspended === (status === "Suspended") && status !== "Terminated") return []
    return [`the panel ${isSuspended ? "suspends" : "runs"} service ${serviceId}, which is ${status}`]
  })
}

const termTopics: readonly string[] = jobQueues.terms

/** Services whose connections are still to be sent to the panel. */
function expectedEvents({ outbox, orders }: SystemState["database"]): ReadonlySet<string> {
  const open = outbox.filter(({ topic, state }) => topic === "connections" && state !== "done")
  const subjects = new Set(open.map(({ subject }) => subject))
  return new Set(orders.filter(({ id }) => subjects.has(id)).map(({ service_id }) => service_id))
}
