/** Names of the alerts that each fault of the drill fires. */
export const expectedAlerts = {
  stoppedDatabase: [
    "DatabaseUnreachable",
    "FeedDisconnected",
    "UpstreamFailing",
    "AnswersStandIn",
    "SearchEngineFailing",
    "GatewayErrorsFast",
    "GatewayErrorsSlow",
  ],
  killedProcesses: [
    "ProcessMissing",
    "ChangeLogUnfollowed",
    "WebhookStreamUnfollowed",
    "ProcessRestarting",
  ],
  heldLocks: [
    "DatabaseSlow",
    "DatabasePoolExhausted",
    "GatewaySlow",
    "WriterLockHeld",
    "FeedLag",
    "IndexLag",
    "SearchIndexMissing",
  ],
  spoiledSchema: [
    "ServiceFailing",
    "TransactionsRolledBack",
    "FeedEntriesQuarantined",
    "WebhooksLate",
    "EventLoopBlocked",
  ],
  demandingClients: [
    "RequestsRefused",
    "StreamsFull",
    "CacheHitRatioLow",
    "ObservationsRejected",
    "FileDescriptorsLow",
  ],
} as const;

/** Shipped alerts that no fault of the drill fires. */
export const unfiredAlerts = [
  // Needs hundreds of offers with vectors, so pgvector 0.8, which the PostgreSQL of Debian lacks.
  "EmbeddingQueueStuck",
] as const;
