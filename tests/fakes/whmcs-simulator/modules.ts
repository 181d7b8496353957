import { type Action, type Installation, itemOf, SUCCESS, serviceBy } from "./installation"
import { createLine, existing, obeys, pushLine, removeLine } from "./panel-lines"
import { text, WhmcsError } from "./params"
import type { Fields } from "./php-form"
import type { Service } from "./state"

/** Wraps a module command: the service is looked up first, by either parameter name. */
const command =
  (run: (installation: Installation, service: Service, params: Fields) => void): Action =>
  (installation, params) => {
    const id = text(params, "serviceid") || text(params, "accountid")
    if (id === "") throw new WhmcsError("Service ID is required")
    const service = serviceBy(installation, id, "Service ID not found")
    if (itemOf(installation, service.pid).module === "")
      throw new WhmcsError("Service not assigned to a module")
    run(installation, service, params)
    return SUCCESS
  }

export const moduleCreate = command(createLine)
export const moduleTerminate = command(removeLine)

export const moduleSuspend = command((installation, service, params) => {
  obeys(installation)
  existing(installation, service).suspended = true
  service.status = "Suspended"
  service.suspensionReason = text(params, "suspendreason")
})

export const moduleUnsuspend = command((installation, service) => {
  obeys(installation)
  existing(installation, service).suspended = false
  service.status = "Active"
  service.suspensionReason = ""
})

export const moduleChangePackage = command((installation, service) => {
  obeys(installation)
  existing(installation, service)
  pushLine(installation, service)
})

export const moduleChangePw = command((installation, service, params) => {
  obeys(installation)
  existing(installation, service)
  service.password = text(params, "servicepassword") || service.password
  pushLine(installation, service)
})

/** Runs any custom function of the module: it pushes the service's current values. */
export const moduleCustom = command((installation, service, params) => {
  if (!installation.moduleFunctions.includes(text(params, "func_name"))) {
    throw new WhmcsError("Function Not Supported by Module")
  }
  obeys(installation)
  existing(installation, service)
  pushLine(installation, service)
})
