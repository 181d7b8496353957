import { type Action, type Installation, itemOf, SUCCESS, serviceBy } from "./installation"
import { createLine, existing, obeys, pushLine, removeLine } from "./panel-lines"
import { text, WhmcsError } from "./params"
import type { Fields } from "./php-form"
import type { Service } from "./state"

/** A module's command: the service is found first, under either name of the parameter. */
const command =
  (run: (world: Installation, service: Service, params: Fields) => void): Action =>
  (world, params) => {
    const id = text(params, "serviceid") || text(params, "accountid")
    if (id === "") throw new WhmcsError("Service ID is required")
    const service = serviceBy(world, id, "Service ID not found")
    if (itemOf(world, service.pid).module === "") throw new WhmcsError("Service not assigned to a module")
    run(world, service, params)
    return SUCCESS
  }

export const moduleCreate = command(createLine)
export const moduleTerminate = command(removeLine)

export const moduleSuspend = command((world, service, params) => {
  obeys(world)
  existing(world, service).suspended = true
  service.status = "Suspended"
  service.suspensionReason = text(params, "suspendreason")
})

export const moduleUnsuspend = command((world, service) => {
  obeys(world)
  existing(world, service).suspended = false
  service.status = "Active"
  service.suspensionReason = ""
})

export const moduleChangePackage = command((world, service) => {
  obeys(world)
  existing(world, service)
  pushLine(world, service)
})

export const moduleChangePw = command((world, service, params) => {
  obeys(world)
  existing(world, service)
  service.password = text(params, "servicepassword") || service.password
  pushLine(world, service)
})

/** Any of the module's own functions: what the service has now is pushed with it. */
export const moduleCustom = command((world, service, params) => {
  if (!world.moduleFunctions.includes(text(params, "func_name"))) {
    throw new WhmcsError("Function Not Supported by Module")
  }
  obeys(world)
  existing(world, service)
  pushLine(world, service)
})
