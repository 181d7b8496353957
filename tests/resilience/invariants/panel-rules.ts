import { byName, type PanelLine, paidStatuses, type SystemState } from "./system-state"

/** The panel has each service that works, once, as it is; and nothing that nobody has bought. */
export function panelViolations(world: SystemState): string[] {
  return world.panel ? [...lines(world, world.panel), ...services(world, world.panel)] : []
}

function lines({ books }: SystemState, panel: readonly PanelLine[]): string[] {
  const services = byName(books.services, ({ id }) => id)
  const orders = byName(books.orders, ({ id }) => id)
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

function services({ books }: SystemState, panel: readonly PanelLine[]): string[] {
  const lineOf = byName(panel, ({ serviceId }) => serviceId)
  const untold = toBeTold(books)
  return books.services
    .filter(({ status }) => status === "Active")
    .flatMap(({ id, username, connections }) => {
      const line = lineOf.get(id)
      if (line?.username !== username) return [`service ${id} is not at the panel`]
      if (line.connections === connections || untold.has(id)) return []
      return [`the panel gives service ${id} ${line.connections} connections, not ${connections}`]
    })
}

/** Services whose connections the panel is still to be told. */
function toBeTold({ outbox, orders }: SystemState["books"]): ReadonlySet<string> {
  const open = outbox.filter(({ topic, state }) => topic === "connections" && state !== "done")
  const subjects = new Set(open.map(({ subject }) => subject))
  return new Set(orders.filter(({ id }) => subjects.has(id)).map(({ service_id }) => service_id))
}
