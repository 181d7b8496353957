import { type Installation, itemOf } from "./installation"
import { WhmcsError } from "./params"
import type { Line, Service } from "./state"

/** Creates the service's line at the panel behind the server module. Throws the panel's error. */
export function createLine(installation: Installation, service: Service): void {
  obeys(installation)
  if (lineOf(installation, service)) throw new WhmcsError("The account exists already")
  service.username ||=
    fieldNamed(installation, service, "Username") || `user${String(service.id).padStart(6, "0")}`
  service.password ||=
    fieldNamed(installation, service, "Password") || String(7_000_000_000 + service.id * 7_919)
  service.hasServer = true
  service.status = "Active"
  const { id: serviceId, username, password } = service
  installation.state.lines.push({
    serviceId,
    username,
    password,
    connections: 0,
    device: "",
    suspended: false,
  })
  pushLine(installation, service)
}

export function removeLine(installation: Installation, service: Service): void {
  obeys(installation)
  const index = installation.state.lines.indexOf(existing(installation, service))
  installation.state.lines.splice(index, 1)
  service.status = "Terminated"
}

/** Pushes a service's connections, device and password to the panel. */
export function pushLine(installation: Installation, service: Service): void {
  const [extra] = itemOf(installation, service.pid).options
  const line = lineOf(installation, service)
  if (!line) return
  line.connections = 1 + (extra ? (service.options[extra.id]?.quantity ?? 0) : 0)
  line.device = fieldNamed(installation, service, "MAC Address")
  line.password = service.password
}

export function lineOf({ state }: Installation, { id }: Service): Line | undefined {
  return state.lines.find(({ serviceId }) => serviceId === id)
}

export function existing(installation: Installation, service: Service): Line {
  const line = lineOf(installation, service)
  if (!line) throw new WhmcsError("The account does not exist")
  return line
}

export function obeys({ quirks }: Installation): void {
  if (quirks.panelRefuses !== null) throw new WhmcsError(quirks.panelRefuses)
}

function fieldNamed(installation: Installation, service: Service, name: string): string {
  const field = itemOf(installation, service.pid).fields.find((it) => it.name === name)
  return field ? (service.fields[field.id] ?? "") : ""
}
