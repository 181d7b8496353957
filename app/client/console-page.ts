import { startLiveUpdates } from "./console/live-updates"
import { startShortcuts } from "./console/shortcuts"

/** The script of the operator's console. Its pages do all they do without it. */
startShortcuts(document)
startLiveUpdates(document)
