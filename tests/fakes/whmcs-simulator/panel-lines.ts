import { type Installation, itemOf } from "./installation"
import { WhmcsError } from "./params"
import type { Line, Service } from "./state"

/** The panel behind the server module: one line for a service. Throws what it says when it says no. */
export function createLine(world: Installation, service: Service): void {
  obeys(world)
  if (lineOf(world, service)) throw new WhmcsError("The account exists already")
  service.username ||= fieldNamed(world, service, "Username") || `user${String(service.id).padStart(6, "0")}`
  service.password ||= fieldNamed(world, service, "Password") || String(7_000_000_000 + service.id * 7_919)
  service.hasServer = true
  service.status = "Active"
  const { id: serviceId, username, password } = service
  world.state.lines.push({ serviceId, username, password, connections: 0, device: "", suspended: false })
  pushLine(world, service)
}

export function removeLine(world: Installation, service: Service): void {
  obeys(world)
  const index = world.state.lines.indexOf(existing(world, service))
  world.state.lines.splice(index, 1)
  service.status = "Terminated"
}

/** The panel learns what the service has now: connections, device and password. */
export function pushLine(world: Installation, service: Service): void {
  const [extra] = itemOf(world, service.pid).options
  const line = lineOf(world, service)
  if (!line) return
  line.connections = 1 + (extra ? (service.options[extra.id]?.quantity ?? 0) : 0)
  line.device = fieldNamed(world, service, "MAC Address")
  line.password = service.password
}

export function lineOf({ state }: Installation, { id }: Service): Line | undefined {
  return state.lines.find(({ serviceId }) => serviceId === id)
}

export function existing(world: Installation, service: Service): Line {
  const line = lineOf(world, service)
  if (!line) throw new WhmcsError("The account does not exist")
  return line
}

export function obeys({ quirks }: Installation): void {
  if (quirks.panelRefuses !== null) throw new WhmcsError(quirks.panelRefuses)
}

function fieldNamed(world: Installation, service: Service, name: string): string {
  const field = itemOf(world, service.pid).fields.find((it) => it.name === name)
  return field ? (service.fields[field.id] ?? "") : ""
}
