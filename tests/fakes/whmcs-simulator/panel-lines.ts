import { itemOf, type World } from "./installation"
import { Refusal } from "./params"
import type { Line, Service } from "./state"

/** The panel behind the server module: one line for a service. Throws what it says when it says no. */
export function createLine(world: World, service: Service): void {
  obeys(world)
  if (lineOf(world, service)) throw new Refusal("The account exists already")
  service.username ||= fieldNamed(world, service, "Username") || `user${String(service.id).padStart(6, "0")}`
  service.password ||= fieldNamed(world, service, "Password") || String(7_000_000_000 + service.id * 7_919)
  service.hasServer = true
  service.status = "Active"
  const { id: serviceId, username, password } = service
  world.state.lines.push({ serviceId, username, password, connections: 0, device: "", suspended: false })
  pushLine(world, service)
}

export function removeLine(world: World, service: Service): void {
  obeys(world)
  const index = world.state.lines.indexOf(existing(world, service))
  world.state.lines.splice(index, 1)
  service.status = "Terminated"
}

/** The panel learns what the service has now: connections, device and password. */
export function pushLine(world: World, service: Service): void {
  const [extra] = itemOf(world, service.pid).options
  const line = lineOf(world, service)
  if (!line) return
  line.connections = 1 + (extra ? (service.options[extra.id]?.quantity ?? 0) : 0)
  line.device = fieldNamed(world, service, "MAC Address")
  line.password = service.password
}

export function lineOf({ state }: World, { id }: Service): Line | undefined {
  return state.lines.find(({ serviceId }) => serviceId === id)
}

export function existing(world: World, service: Service): Line {
  const line = lineOf(world, service)
  if (!line) throw new Refusal("The account does not exist")
  return line
}

export function obeys({ quirks }: World): void {
  if (quirks.panelRefuses !== null) throw new Refusal(quirks.panelRefuses)
}

function fieldNamed(world: World, service: Service, name: string): string {
  const field = itemOf(world, service.pid).fields.find((it) => it.name === name)
  return field ? (service.fields[field.id] ?? "") : ""
}
