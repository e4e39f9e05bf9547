// Written by `npm run generate` from the documents in openapi/. Do not edit.

export interface paths {
    "/v1beta/access-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List access tokens. */
        get: operations["listAccessTokens"];
        put?: never;
        /** Issue a token. Its plaintext stands in this answer, and nowhere else. */
        post: operations["createAccessToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/access-tokens/{access_token}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 10000000000001 */
                access_token: components["parameters"]["access_token"];
            };
            cookie?: never;
        };
        /**
         * Read one access token.
         * @description The id `self` stands for the token that the request came with.
         */
        get: operations["getAccessToken"];
        put?: never;
        post?: never;
        /** Remove the access token. */
        delete: operations["deleteAccessToken"];
        options?: never;
        head?: never;
        /** Change the fields that the update mask names. */
        patch: operations["updateAccessToken"];
        trace?: never;
    };
    "/v1beta/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List workspaces. */
        get: operations["listWorkspaces"];
        put?: never;
        /**
         * Create a workspace.
         * @description The name of a removed workspace is a 409 until what is stored of its events is gone: nine days and a few hours after the removal, or two days and as many hours more than the retention where that is longer than seven days. The answer says when.
         */
        post: operations["createWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        /** Read one workspace. */
        get: operations["getWorkspace"];
        put?: never;
        post?: never;
        /**
         * Remove the workspace, and everything below it.
         * @description Deleting a parent deletes its children: sources with their destinations and filters, tracking plans and regulations go with it. Their write keys are refused from then on, and what is still to be delivered is cancelled. Access tokens that see no other workspace go with it too, and others do not see a later workspace of the same name. The name is not given again for some days.
         */
        delete: operations["deleteWorkspace"];
        options?: never;
        head?: never;
        /** Change the fields that the update mask names. */
        patch: operations["updateWorkspace"];
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/quota": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        /** Read how many events a workspace may send, and how many it sent today. */
        get: operations["getQuota"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the limits that the update mask names.
         * @description For tokens that are not bound to workspaces; nobody raises a quota of their own.
         */
        patch: operations["updateQuota"];
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        /** List sources. */
        get: operations["listSources"];
        put?: never;
        /** Create a source. It comes with a write key. */
        post: operations["createSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources/{source}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        /** Read one source. */
        get: operations["getSource"];
        put?: never;
        post?: never;
        /**
         * Remove the source, and everything below it.
         * @description Deleting a parent deletes its children: destinations with their filters, the schema configuration, and the connection to a tracking plan go with it. Its write keys are refused from then on.
         */
        delete: operations["deleteSource"];
        options?: never;
        head?: never;
        /** Change the fields that the update mask names. */
        patch: operations["updateSource"];
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources/{source}/accepted-events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        /**
         * See whether the events of a source arrive.
         * @description Counted since the time `since`. A router with storage of its own begins anew when it starts; routers that share a storage count together, for a week. The last 20 events are listed, newest first. What events hold is never kept here. The lists of all sources take at most 8 MB together; beyond, the list that was not added to for longest is removed, and its count stays.
         */
        get: operations["listAcceptedEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources/{source}/accepted-events:stream": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        /**
         * Watch the events of a source as they are accepted.
         * @description A stream of server-sent events, from the router that is asked: the first message comes at once, then at most two a second while events are accepted, and an empty one every 15 seconds. The `data` of each message is JSON as the schema says. A message lists at most 25 events and 256 KB of them; `count` tells how many there were. The stream ends when the router stops, and when the token or the source is deleted; who does not read is disconnected. A router has room for 100 streams, 60 of each workspace and 20 of each token; beyond, the answer is 429.
         */
        get: operations["streamAcceptedEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources/{source}/accepted-events:count": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        /**
         * Count the accepted events of a source, by hour and type.
         * @description Of all routers, whether or not the source has destinations, by the hour in which an event was received. Duplicates and dropped events are not counted. Counts are kept as long as the router's retention says, also when it restarts. They are stored every second: an event is counted within about one, and a router that is killed loses the counts, not the events, of its last second.
         */
        get: operations["countAcceptedEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources/{source}/dropped-events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        /**
         * See which events of a source were not kept, and why.
         * @description Counted since the time `since`. Of each kind, the last 100 events are listed, newest first. A dropped event was invalid; a blocked event was valid and not wanted; an adjusted event was kept, with a change. Other events of the same batch are not affected. What events hold is never kept here. Routers that share a database answer for all of them, of the last 7 days, within about 2 s. A router of its own data folder begins anew when it restarts; the lists of all its sources take at most 16 MB together; beyond, the list that was not added to for longest is removed, and its counts stay.
         */
        get: operations["listDroppedEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources/{source}/violations": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        /**
         * See how the events of a source differ from its tracking plan.
         * @description Counted since the time `since`. The last 100 are listed, newest first, and of one event no more than 20. Names of fields are kept, and what they must be; what events hold never is. Routers that share a database answer for all of them, of the last 7 days, within about 2 s. A router of its own data folder begins anew when it restarts; the lists of all its sources take at most 32 MB together, and so do the counts; beyond, the source whose last violation is longest ago loses its own.
         */
        get: operations["listViolations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources/{source}/schema-config": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        /** Read how events that a tracking plan does not foresee are treated. */
        get: operations["getSchemaConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change the fields that the update mask names. */
        patch: operations["updateSchemaConfig"];
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources/{source}/destinations": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        /** List destinations. */
        get: operations["listDestinations"];
        put?: never;
        /**
         * Connect a destination to a source.
         * @description A source has any number of webhooks destinations, each with its own webhooks, secret, settings, filters, queue and delivery log. A destination is one if its slug is `webhooks` or begins with `webhooks-`, or if its `catalog_name` is `catalog/destinations/webhooks`. This is decided when it is created.
         */
        post: operations["createDestination"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources/{source}/destinations/{destination}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
            };
            cookie?: never;
        };
        /** Read one destination. */
        get: operations["getDestination"];
        put?: never;
        post?: never;
        /**
         * Remove the destination, and its filters.
         * @description Deleting a parent deletes its children: filters go with it. What is still to be delivered is cancelled.
         */
        delete: operations["deleteDestination"];
        options?: never;
        head?: never;
        /** Change the fields that the update mask names. */
        patch: operations["updateDestination"];
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources/{source}/destinations/{destination}:rotateSecret": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the shared secret, with an overlap.
         * @description The new secret is the `sharedSecret` from now on. Until the overlap ends, each request has a signature for the previous secret and one for the new one, so that receivers can be changed at any time: `webhook-signature` contains both; `X-Signature` stays with the previous secret, and `X-Signature-Next` is made with the new one. After it, requests are signed with the new secret alone. Where there was no secret, there is no overlap. The secret that is in use already changes nothing, so a request with a given secret can be repeated.
         *
         *     While a rotation is under way, another secret is rejected: cancel or finish the rotation first.
         */
        post: operations["rotateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources/{source}/destinations/{destination}:cancelRotation": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel the rotation of the secret.
         * @description The previous secret is the `sharedSecret` again, and signs alone. Without a rotation nothing changes.
         */
        post: operations["cancelSecretRotation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources/{source}/destinations/{destination}:finishRotation": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish the rotation of the secret now.
         * @description The new secret signs alone. Without a rotation nothing changes.
         */
        post: operations["finishSecretRotation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources/{source}/destinations/{destination}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
            };
            cookie?: never;
        };
        /**
         * List the deliveries of a destination, newest first.
         * @description What has ended is kept as long as the router's retention says. A page may hold fewer deliveries than its size, and even none, while `next_page_token` is filled: each request looks at a bounded part of the log.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources/{source}/destinations/{destination}/deliveries/{delivery}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
                /** @example 17 */
                delivery: components["parameters"]["delivery"];
            };
            cookie?: never;
        };
        /** Read one delivery, with its rounds and attempts, and an explanation in words. */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources/{source}/destinations/{destination}/deliveries/{delivery}:replay": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
                /** @example 17 */
                delivery: components["parameters"]["delivery"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery that has ended again.
         * @description It goes to all webhooks that the destination now has, with the same body and `messageId`, and is retried for up to four hours from now. Its earlier rounds and attempts stay in the log. Refused while the delivery has not ended, while the destination is disabled, once it was replayed 100 times, and when an audience or computed trait has told a later value of the user since.
         */
        post: operations["replayDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources/{source}/destinations/{destination}/replays": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
            };
            cookie?: never;
        };
        /** List the bulk replays of a destination. */
        get: operations["listReplays"];
        put?: never;
        /**
         * Send again all deliveries that a filter chooses.
         * @description Begins a job that goes through the log once, oldest first, and sends again what it held when the job was made. The job survives restarts and replays nothing twice. It keeps to its pace, and waits while a thousand deliveries wait for the destination already. Workspaces take turns, and a workspace has at most 100 running replays: a further one is refused with 400. What an audience or computed trait told is sent again only while nothing later was told of the user.
         */
        post: operations["createReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources/{source}/destinations/{destination}/replays/{replay}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
                /** @example 3 */
                replay: components["parameters"]["replay"];
            };
            cookie?: never;
        };
        /** Read one bulk replay, with how far it has got. */
        get: operations["getReplay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources/{source}/destinations/{destination}/replays/{replay}:cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
                /** @example 3 */
                replay: components["parameters"]["replay"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop a bulk replay. What it has replayed stays replayed; one that has ended stays as it is. */
        post: operations["cancelReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources/{source}/destinations/{destination}/queue": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
            };
            cookie?: never;
        };
        /**
         * See what waits for a destination, and whether it is being sent to.
         * @description Where several routers share a storage, each of them answers the same. What is shown is at most three seconds old.
         */
        get: operations["getDestinationQueue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources/{source}/destinations/{destination}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
            };
            cookie?: never;
        };
        /** What the deliveries of a destination came to, hour by hour. */
        get: operations["listDeliveryMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources/{source}/destinations/{destination}/metrics:getSummary": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
            };
            cookie?: never;
        };
        /** What the deliveries of a destination came to, in one figure each. */
        get: operations["getDeliveryMetricsSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources/{source}/destinations/{destination}/metrics:batchGet": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
            };
            cookie?: never;
        };
        /** Several metrics of a destination, hour by hour. */
        get: operations["batchGetDeliveryMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources/{source}/destinations/{destination}/metrics/{metric}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
                /**
                 * @description `successes`, `failures`, `expirations`, `cancellations`, `retried_<status>` or `retried_<outcome>`, and `time_to_success_p50`, `_p95` or `_p99`.
                 * @example successes
                 */
                metric: components["parameters"]["metric"];
            };
            cookie?: never;
        };
        /** One metric of a destination, hour by hour. */
        get: operations["getDeliveryMetric"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/event-delivery-metrics:batchGetSummary": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        /**
         * What the deliveries of several destinations came to, in one figure each.
         * @description A name is that of a destination, or of its summary (`…/metrics:getSummary`).
         */
        get: operations["batchGetDeliveryMetricsSummaries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/overview": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        /**
         * See how a workspace fares, in one answer.
         * @description What came in and out in the last hour and day, what waits, and the destinations that need attention first. Of more than 1 000 destinations, those are looked at that have an open circuit, lost deliveries, or wait. What is shown is at most five seconds old.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/destinations": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        /** List the destinations of all sources. */
        get: operations["listWorkspaceDestinations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/filters": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        /** List the filters of all destinations. */
        get: operations["listWorkspaceFilters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/schema-configs": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        /** List the schema configurations of all sources. */
        get: operations["listSchemaConfigs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/tracking-plans": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        /** List tracking plans. */
        get: operations["listTrackingPlans"];
        put?: never;
        /** Create a tracking plan. Its id is generated. */
        post: operations["createTrackingPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/tracking-plans/{tracking_plan}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example rs_1zTcXk9FqLwR3bVn5MjHs7PdYgA */
                tracking_plan: components["parameters"]["tracking_plan"];
            };
            cookie?: never;
        };
        /** Read one tracking plan. */
        get: operations["getTrackingPlan"];
        /** The same as PATCH, as most clients of this API send it. */
        put: operations["replaceTrackingPlan"];
        post?: never;
        /**
         * Remove the tracking plan, and its source connections.
         * @description Deleting a parent deletes its children; the connected sources themselves stay.
         */
        delete: operations["deleteTrackingPlan"];
        options?: never;
        head?: never;
        /** Change the fields that the update mask names. */
        patch: operations["updateTrackingPlan"];
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/tracking-plans/{tracking_plan}/source-connections": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example rs_1zTcXk9FqLwR3bVn5MjHs7PdYgA */
                tracking_plan: components["parameters"]["tracking_plan"];
            };
            cookie?: never;
        };
        /**
         * List the sources that are connected to a tracking plan.
         * @description Of a tracking plan that was deleted, or never existed, the list is empty.
         */
        get: operations["listSourceConnections"];
        put?: never;
        /** Connect a source to a tracking plan. */
        post: operations["createSourceConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/tracking-plans/{tracking_plan}/source-connections:batchCreateConnections": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example rs_1zTcXk9FqLwR3bVn5MjHs7PdYgA */
                tracking_plan: components["parameters"]["tracking_plan"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Connect several sources to a tracking plan. */
        post: operations["batchCreateSourceConnections"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/tracking-plans/{tracking_plan}/source-connections/{source}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example rs_1zTcXk9FqLwR3bVn5MjHs7PdYgA */
                tracking_plan: components["parameters"]["tracking_plan"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Disconnect a source, named by its slug. */
        delete: operations["deleteSourceConnection"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/tracking-plans/{tracking_plan}/source-connections/workspaces/{source_workspace}/sources/{source}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example rs_1zTcXk9FqLwR3bVn5MjHs7PdYgA */
                tracking_plan: components["parameters"]["tracking_plan"];
                /**
                 * @description The workspace of the plan; no source of another can be connected to it.
                 * @example main
                 */
                source_workspace: components["parameters"]["source_workspace"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Disconnect a source, named in full. */
        delete: operations["deleteSourceConnectionByName"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources/{source}/destinations/{destination}/filters": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
            };
            cookie?: never;
        };
        /** List the filters of a destination. */
        get: operations["listFilters"];
        put?: never;
        /** Create a filter. A destination has at most ten. */
        post: operations["createFilter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources/{source}/destinations/{destination}/filters/{filter}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
                /** @example df_0123456789abcdefghijklmnopq */
                filter: components["parameters"]["filter"];
            };
            cookie?: never;
        };
        /** Read one filter. */
        get: operations["getFilter"];
        put?: never;
        post?: never;
        /** Remove the filter. */
        delete: operations["deleteFilter"];
        options?: never;
        head?: never;
        /** Change the fields that the update mask names. */
        patch: operations["updateFilter"];
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources/{source}/destinations/{destination}/config/{config}/filters/{filter}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
                /**
                 * @description The level that names of filters have between their destination and their id.
                 * @example 0123456789abcdef01234567
                 */
                config: components["parameters"]["config"];
                /** @example df_0123456789abcdefghijklmnopq */
                filter: components["parameters"]["filter"];
            };
            cookie?: never;
        };
        /** Read one filter, by the name that it is answered with. */
        get: operations["getFilterByName"];
        put?: never;
        post?: never;
        /** Remove the filter, by the name that it is answered with. */
        delete: operations["deleteFilterByName"];
        options?: never;
        head?: never;
        /** Change the fields that the update mask names, by the name that it is answered with. */
        patch: operations["updateFilterByName"];
        trace?: never;
    };
    "/v1beta/filters/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Try a filter on one event. Nothing is stored, sent or counted. */
        post: operations["previewFilter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/shapes/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Try a shape on one event. Nothing is stored, sent or counted. */
        post: operations["previewShape"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/regulations": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        /** List the regulations of a workspace, those of its sources included. */
        get: operations["listRegulations"];
        put?: never;
        /** Ask for users to be deleted, suppressed, or both. */
        post: operations["createRegulation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/regulations/{regulation}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example rg_0123456789abcdefghijklmnopq */
                regulation: components["parameters"]["regulation"];
            };
            cookie?: never;
        };
        /** Read one regulation, of the workspace or of one of its sources, and how far it has got. */
        get: operations["getRegulation"];
        put?: never;
        post?: never;
        /** Cancel a regulation that is still INITIALIZED. */
        delete: operations["deleteRegulation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/suppressed-users": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        /** List the users whose events no source of the workspace accepts. */
        get: operations["listSuppressedUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources/{source}/regulations": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        /** List the regulations of one source. */
        get: operations["listSourceRegulations"];
        put?: never;
        /**
         * Ask for users to be deleted, suppressed, or both, in one source.
         * @description It holds for this source alone, and stays when the source is deleted: what it has to delete is deleted, and a source that gets the same name later has its suppressions. Users suppressed in the whole workspace are not unsuppressed by one source: that is a 400.
         */
        post: operations["createSourceRegulation"];
        /**
         * Cancel the regulations of one source that are still INITIALIZED.
         * @description Those that have begun stay as they are. It succeeds where there is nothing to cancel.
         */
        delete: operations["cancelSourceRegulations"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources/{source}/regulations/{regulation}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example rg_0123456789abcdefghijklmnopq */
                regulation: components["parameters"]["regulation"];
            };
            cookie?: never;
        };
        /**
         * Read one regulation of a source, and how far it has got.
         * @description It can be read after its source was deleted, too.
         */
        get: operations["getSourceRegulation"];
        put?: never;
        post?: never;
        /** Cancel a regulation of a source that is still INITIALIZED. */
        delete: operations["deleteSourceRegulation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/sources/{source}/suppressed-users": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        /**
         * List the users whose events this one source does not accept.
         * @description Those that are suppressed in the whole workspace are listed there.
         */
        get: operations["listSourceSuppressedUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/audit-entries": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        /**
         * See who changed what in a workspace, newest first.
         * @description An entry is stored with each change that a request made to the configuration, in one transaction with it. Values are never part of it. The last 1 000 entries of a workspace are kept, for 90 days; they go with the workspace.
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/audiences": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        /** List audiences. */
        get: operations["listAudiences"];
        put?: never;
        /**
         * Create an audience. Its id is generated.
         * @description Its key is the snake_case form of its name, and stays when it is renamed. Events are counted from now on, except those that another audience or computed trait of the workspace counts already: `history_from` says since when. A workspace has at most 100.
         */
        post: operations["createAudience"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/audiences:preview": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a definition, without storing anything.
         * @description Evaluated now, over what was accepted so far, as long as no more than 10,000 events wait to be counted. What no audience or computed trait of the workspace counts has no events yet.
         */
        post: operations["previewAudience"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/audiences/{audience}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example aud_0123456789abcdefghijklmnopq */
                audience: components["parameters"]["audience"];
            };
            cookie?: never;
        };
        /** Read one audience. */
        get: operations["getAudience"];
        put?: never;
        post?: never;
        /**
         * Delete an audience.
         * @description Its destinations are told nothing. What another audience is defined by is not deleted; that is a 409. The key is not given again.
         */
        delete: operations["deleteAudience"];
        options?: never;
        head?: never;
        /**
         * Update an audience.
         * @description Users who no longer match after the definition has changed are told so by the next sync. A cycle of audiences that refer to each other is a 400.
         */
        patch: operations["updateAudience"];
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/audiences/{audience}:sync": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example aud_0123456789abcdefghijklmnopq */
                audience: components["parameters"]["audience"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compute an audience now, and tell its destinations what changed.
         * @description Answers the sync that begins, or the one that runs already. It goes on by itself.
         */
        post: operations["syncAudience"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/audiences/{audience}/members": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example aud_0123456789abcdefghijklmnopq */
                audience: components["parameters"]["audience"];
            };
            cookie?: never;
        };
        /**
         * List the members of an audience, by their ids.
         * @description As of the last sync. Pages that follow each other are of the same sync, whatever is computed meanwhile; a token of a sync that is no longer kept is a 400.
         */
        get: operations["listAudienceMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/audiences/{audience}/members/{user}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example aud_0123456789abcdefghijklmnopq */
                audience: components["parameters"]["audience"];
                /**
                 * @description A `userId`, percent-encoded.
                 * @example user-1
                 */
                user: components["parameters"]["user"];
            };
            cookie?: never;
        };
        /**
         * Explain why a user is a member of an audience, or is not.
         * @description Evaluated now, over what was accepted so far, as long as no more than 10,000 events wait to be counted; the last sync may have found something else. A user without a profile is a 404.
         */
        get: operations["getAudienceMember"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/audiences/{audience}/syncs": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example aud_0123456789abcdefghijklmnopq */
                audience: components["parameters"]["audience"];
            };
            cookie?: never;
        };
        /** List the syncs of an audience, newest first. */
        get: operations["listAudienceSyncs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/audiences/{audience}/syncs/{sync}:cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example aud_0123456789abcdefghijklmnopq */
                audience: components["parameters"]["audience"];
                /** @example 1 */
                sync: components["parameters"]["sync"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a sync of an audience.
         * @description Users that were told stay so, and the next sync goes on with the rest. One that has ended stays as it is.
         */
        post: operations["cancelAudienceSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/computed-traits": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        /** List computed traits. */
        get: operations["listComputedTraits"];
        put?: never;
        /**
         * Create a computed trait. Its id is generated.
         * @description Its key is the snake_case form of its name, and stays when it is renamed; audiences and computed traits of a workspace have different keys. Events are counted from now on, except those that another audience or computed trait of the workspace counts already: `history_from` says since when. A workspace has at most 25.
         */
        post: operations["createComputedTrait"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/computed-traits/{computed_trait}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example tra_0123456789abcdefghijklmnopq */
                computed_trait: components["parameters"]["computed_trait"];
            };
            cookie?: never;
        };
        /** Read one computed trait. */
        get: operations["getComputedTrait"];
        put?: never;
        post?: never;
        /**
         * Delete a computed trait.
         * @description Its destinations are told nothing. What an audience is defined by is not deleted; that is a 409. The key is not given again.
         */
        delete: operations["deleteComputedTrait"];
        options?: never;
        head?: never;
        /**
         * Update a computed trait.
         * @description Users whose value is another one after the definition has changed are told so by the next sync.
         */
        patch: operations["updateComputedTrait"];
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/computed-traits/{computed_trait}:sync": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example tra_0123456789abcdefghijklmnopq */
                computed_trait: components["parameters"]["computed_trait"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compute a computed trait now, and tell its destinations what changed.
         * @description Answers the sync that begins, or the one that runs already. It goes on by itself.
         */
        post: operations["syncComputedTrait"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/computed-traits/{computed_trait}/values": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example tra_0123456789abcdefghijklmnopq */
                computed_trait: components["parameters"]["computed_trait"];
            };
            cookie?: never;
        };
        /**
         * List the values of a computed trait, by the ids of the users.
         * @description As of the last sync; users without a value are not listed. Pages that follow each other are of the same sync, whatever is computed meanwhile; a token of a sync that is no longer kept is a 400.
         */
        get: operations["listComputedTraitValues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/computed-traits/{computed_trait}/syncs": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example tra_0123456789abcdefghijklmnopq */
                computed_trait: components["parameters"]["computed_trait"];
            };
            cookie?: never;
        };
        /** List the syncs of a computed trait, newest first. */
        get: operations["listComputedTraitSyncs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/computed-traits/{computed_trait}/syncs/{sync}:cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example tra_0123456789abcdefghijklmnopq */
                computed_trait: components["parameters"]["computed_trait"];
                /** @example 1 */
                sync: components["parameters"]["sync"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a sync of a computed trait.
         * @description Users that were told stay so, and the next sync goes on with the rest. One that has ended stays as it is.
         */
        post: operations["cancelComputedTraitSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/workspaces/{workspace}/profiles/{user}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /**
                 * @description A `userId`, percent-encoded.
                 * @example user-1
                 */
                user: components["parameters"]["user"];
            };
            cookie?: never;
        };
        /**
         * Read what is known of one user.
         * @description By any of the ids that were merged, with what was accepted so far, as long as no more than 10,000 events wait to be counted. There are profiles since the first audience or computed trait of the workspace.
         */
        get: operations["getProfile"];
        put?: never;
        post?: never;
        /**
         * Delete what is stored of one user, in all of its ids.
         * @description The profile is gone when this is answered. A regulation of the type `Delete_Internal` then deletes the stored events of these ids in the workspace; no destination is told. Later events of the user are counted again.
         */
        delete: operations["deleteProfile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/audit-entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See who changed workspaces and access tokens, newest first.
         * @description As the list of a workspace, for what is in none. The last 1 000 entries are kept, for 90 days. The token must not be bound to workspaces.
         */
        get: operations["listRouterAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/nodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See which routers run.
         * @description All routers that share the storage of the one that answers, and itself: each of them answers the same. One that was not heard of for 10 s is not listed, and others send what it held. Times are of the storage's clock. The token must not be bound to workspaces.
         */
        get: operations["listNodes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See the settings of the router that answers.
         * @description All settings, in the order of `--help`, with the values that this router was started with. Values of secret settings are never part of it. Each router has settings of its own. The token must not be bound to workspaces.
         */
        get: operations["listSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/backup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Back up a running router.
         * @description A tar archive of all that a router keeps in its data folder, as it stands at one moment while the router goes on: configuration, events, deliveries and profiles, with their secrets. Its last file, `SHA256SUMS`, has the checksum of each: an archive without it was cut off. `waybill restore` makes a data folder of it. The token must not be bound to workspaces. A router makes one backup at a time: beyond, the answer is 429. Routers that share a database answer 501: databases have tools of their own.
         */
        get: operations["downloadBackup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/unknown-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See which unknown write keys were accepted.
         * @description Only a router that is started with `WAYBILL_UNKNOWN_KEYS=accept` answers requests with an unknown key as accepted; it stores nothing of them, and counts their events here. Routers that share a database answer for all of them, of the last 7 days, within about 2 s; a router of its own data folder begins anew when it restarts. The list holds at most 1 000 keys, those that were seen last. The token must not be bound to workspaces.
         */
        get: operations["listUnknownKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/catalog/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the sources that are known. */
        get: operations["listCatalogSources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/catalog/sources/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example javascript */
                slug: components["parameters"]["source_slug"];
            };
            cookie?: never;
        };
        /** Read one source of the catalog. */
        get: operations["getCatalogSource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/catalog/destinations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the destinations that are known. */
        get: operations["listCatalogDestinations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/catalog/destinations/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example webhooks */
                slug: components["parameters"]["destination_slug"];
            };
            cookie?: never;
        };
        /** Read one destination of the catalog. */
        get: operations["getCatalogDestination"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    page: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A page was viewed. */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The service and its version. */
                    "User-Agent": components["parameters"]["UserAgent"];
                    /** @description Present when the destination has a shared secret: lower-case hex of HMAC-SHA-1, keyed by the secret, over the bytes of this body. */
                    "X-Signature"?: components["parameters"]["Signature"];
                    /** @description Present beside `X-Signature` while the secret is rotated: the same, keyed by the new secret. `X-Signature` is keyed by the previous one until the rotation ends. */
                    "X-Signature-Next"?: components["parameters"]["SignatureNext"];
                    /** @description Of Standard Webhooks, as are the next two; present when the destination's `signature` says so. The same for all attempts of an event. */
                    "webhook-id"?: components["parameters"]["WebhookId"];
                    /** @description When the attempt was made, in seconds since 1970. */
                    "webhook-timestamp"?: components["parameters"]["WebhookTimestamp"];
                    /** @description Signatures over `<webhook-id>.<webhook-timestamp>.<body>`, separated by spaces: `v1,<base64>` with HMAC-SHA-256, `v1a,<base64>` with Ed25519. Two while the secret is rotated, the previous secret's first. */
                    "webhook-signature"?: components["parameters"]["WebhookSignature"];
                    /** @description Of W3C Trace Context: the attempt, in the trace of the event. Present for sampled events when the destination's `traceContext` is true. */
                    traceparent?: components["parameters"]["Traceparent"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "version": 1,
                     *       "type": "page",
                     *       "name": "Pricing",
                     *       "properties": {
                     *         "title": "Pricing",
                     *         "path": "/pricing",
                     *         "url": "https://shop.example/pricing",
                     *         "referrer": "https://search.example/"
                     *       },
                     *       "messageId": "8c1f2f0a-6c58-4c0e-9a53-0f2d1c7b9e41",
                     *       "anonymousId": "5f0c8a2e-guest",
                     *       "userId": "user-42",
                     *       "context": {
                     *         "library": {
                     *           "name": "analytics-node",
                     *           "version": "2.1.0"
                     *         },
                     *         "ip": "203.0.113.7"
                     *       },
                     *       "timestamp": "2026-11-20T23:10:38.958Z",
                     *       "originalTimestamp": "2026-11-20T23:10:38.120Z",
                     *       "sentAt": "2026-11-20T23:10:38.650Z",
                     *       "receivedAt": "2026-11-20T23:10:39.488Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PageEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Processed"];
                "4XX": components["responses"]["Permanent"];
                "5XX": components["responses"]["Temporary"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    screen: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A screen of an app was viewed. */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The service and its version. */
                    "User-Agent": components["parameters"]["UserAgent"];
                    /** @description Present when the destination has a shared secret: lower-case hex of HMAC-SHA-1, keyed by the secret, over the bytes of this body. */
                    "X-Signature"?: components["parameters"]["Signature"];
                    /** @description Present beside `X-Signature` while the secret is rotated: the same, keyed by the new secret. `X-Signature` is keyed by the previous one until the rotation ends. */
                    "X-Signature-Next"?: components["parameters"]["SignatureNext"];
                    /** @description Of Standard Webhooks, as are the next two; present when the destination's `signature` says so. The same for all attempts of an event. */
                    "webhook-id"?: components["parameters"]["WebhookId"];
                    /** @description When the attempt was made, in seconds since 1970. */
                    "webhook-timestamp"?: components["parameters"]["WebhookTimestamp"];
                    /** @description Signatures over `<webhook-id>.<webhook-timestamp>.<body>`, separated by spaces: `v1,<base64>` with HMAC-SHA-256, `v1a,<base64>` with Ed25519. Two while the secret is rotated, the previous secret's first. */
                    "webhook-signature"?: components["parameters"]["WebhookSignature"];
                    /** @description Of W3C Trace Context: the attempt, in the trace of the event. Present for sampled events when the destination's `traceContext` is true. */
                    traceparent?: components["parameters"]["Traceparent"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "version": 1,
                     *       "type": "screen",
                     *       "name": "Basket",
                     *       "category": "Shop",
                     *       "properties": {
                     *         "items": 3
                     *       },
                     *       "messageId": "8c1f2f0a-6c58-4c0e-9a53-0f2d1c7b9e42",
                     *       "anonymousId": "5f0c8a2e-guest",
                     *       "userId": "user-42",
                     *       "context": {
                     *         "library": {
                     *           "name": "analytics-node",
                     *           "version": "2.1.0"
                     *         },
                     *         "ip": "203.0.113.7"
                     *       },
                     *       "timestamp": "2026-11-20T23:10:38.958Z",
                     *       "originalTimestamp": "2026-11-20T23:10:38.120Z",
                     *       "sentAt": "2026-11-20T23:10:38.650Z",
                     *       "receivedAt": "2026-11-20T23:10:39.488Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ScreenEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Processed"];
                "4XX": components["responses"]["Permanent"];
                "5XX": components["responses"]["Temporary"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    identify: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Who a user is. */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The service and its version. */
                    "User-Agent": components["parameters"]["UserAgent"];
                    /** @description Present when the destination has a shared secret: lower-case hex of HMAC-SHA-1, keyed by the secret, over the bytes of this body. */
                    "X-Signature"?: components["parameters"]["Signature"];
                    /** @description Present beside `X-Signature` while the secret is rotated: the same, keyed by the new secret. `X-Signature` is keyed by the previous one until the rotation ends. */
                    "X-Signature-Next"?: components["parameters"]["SignatureNext"];
                    /** @description Of Standard Webhooks, as are the next two; present when the destination's `signature` says so. The same for all attempts of an event. */
                    "webhook-id"?: components["parameters"]["WebhookId"];
                    /** @description When the attempt was made, in seconds since 1970. */
                    "webhook-timestamp"?: components["parameters"]["WebhookTimestamp"];
                    /** @description Signatures over `<webhook-id>.<webhook-timestamp>.<body>`, separated by spaces: `v1,<base64>` with HMAC-SHA-256, `v1a,<base64>` with Ed25519. Two while the secret is rotated, the previous secret's first. */
                    "webhook-signature"?: components["parameters"]["WebhookSignature"];
                    /** @description Of W3C Trace Context: the attempt, in the trace of the event. Present for sampled events when the destination's `traceContext` is true. */
                    traceparent?: components["parameters"]["Traceparent"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "version": 1,
                     *       "type": "identify",
                     *       "traits": {
                     *         "name": "Åsa Öberg",
                     *         "plan": "pro"
                     *       },
                     *       "messageId": "8c1f2f0a-6c58-4c0e-9a53-0f2d1c7b9e43",
                     *       "anonymousId": "5f0c8a2e-guest",
                     *       "userId": "user-42",
                     *       "context": {
                     *         "library": {
                     *           "name": "analytics-node",
                     *           "version": "2.1.0"
                     *         },
                     *         "ip": "203.0.113.7"
                     *       },
                     *       "timestamp": "2026-11-20T23:10:38.958Z",
                     *       "originalTimestamp": "2026-11-20T23:10:38.120Z",
                     *       "sentAt": "2026-11-20T23:10:38.650Z",
                     *       "receivedAt": "2026-11-20T23:10:39.488Z"
                     *     }
                     */
                    "application/json": components["schemas"]["IdentifyEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Processed"];
                "4XX": components["responses"]["Permanent"];
                "5XX": components["responses"]["Temporary"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    track: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A user did something. */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The service and its version. */
                    "User-Agent": components["parameters"]["UserAgent"];
                    /** @description Present when the destination has a shared secret: lower-case hex of HMAC-SHA-1, keyed by the secret, over the bytes of this body. */
                    "X-Signature"?: components["parameters"]["Signature"];
                    /** @description Present beside `X-Signature` while the secret is rotated: the same, keyed by the new secret. `X-Signature` is keyed by the previous one until the rotation ends. */
                    "X-Signature-Next"?: components["parameters"]["SignatureNext"];
                    /** @description Of Standard Webhooks, as are the next two; present when the destination's `signature` says so. The same for all attempts of an event. */
                    "webhook-id"?: components["parameters"]["WebhookId"];
                    /** @description When the attempt was made, in seconds since 1970. */
                    "webhook-timestamp"?: components["parameters"]["WebhookTimestamp"];
                    /** @description Signatures over `<webhook-id>.<webhook-timestamp>.<body>`, separated by spaces: `v1,<base64>` with HMAC-SHA-256, `v1a,<base64>` with Ed25519. Two while the secret is rotated, the previous secret's first. */
                    "webhook-signature"?: components["parameters"]["WebhookSignature"];
                    /** @description Of W3C Trace Context: the attempt, in the trace of the event. Present for sampled events when the destination's `traceContext` is true. */
                    traceparent?: components["parameters"]["Traceparent"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "version": 1,
                     *       "type": "track",
                     *       "event": "Order Completed",
                     *       "properties": {
                     *         "orderId": "1017",
                     *         "total": 42.5,
                     *         "currency": "EUR"
                     *       },
                     *       "messageId": "8c1f2f0a-6c58-4c0e-9a53-0f2d1c7b9e44",
                     *       "anonymousId": "5f0c8a2e-guest",
                     *       "userId": "user-42",
                     *       "context": {
                     *         "library": {
                     *           "name": "analytics-node",
                     *           "version": "2.1.0"
                     *         },
                     *         "ip": "203.0.113.7"
                     *       },
                     *       "timestamp": "2026-11-20T23:10:38.958Z",
                     *       "originalTimestamp": "2026-11-20T23:10:38.120Z",
                     *       "sentAt": "2026-11-20T23:10:38.650Z",
                     *       "receivedAt": "2026-11-20T23:10:39.488Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TrackEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Processed"];
                "4XX": components["responses"]["Permanent"];
                "5XX": components["responses"]["Temporary"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    alias: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Two identities of one user. */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The service and its version. */
                    "User-Agent": components["parameters"]["UserAgent"];
                    /** @description Present when the destination has a shared secret: lower-case hex of HMAC-SHA-1, keyed by the secret, over the bytes of this body. */
                    "X-Signature"?: components["parameters"]["Signature"];
                    /** @description Present beside `X-Signature` while the secret is rotated: the same, keyed by the new secret. `X-Signature` is keyed by the previous one until the rotation ends. */
                    "X-Signature-Next"?: components["parameters"]["SignatureNext"];
                    /** @description Of Standard Webhooks, as are the next two; present when the destination's `signature` says so. The same for all attempts of an event. */
                    "webhook-id"?: components["parameters"]["WebhookId"];
                    /** @description When the attempt was made, in seconds since 1970. */
                    "webhook-timestamp"?: components["parameters"]["WebhookTimestamp"];
                    /** @description Signatures over `<webhook-id>.<webhook-timestamp>.<body>`, separated by spaces: `v1,<base64>` with HMAC-SHA-256, `v1a,<base64>` with Ed25519. Two while the secret is rotated, the previous secret's first. */
                    "webhook-signature"?: components["parameters"]["WebhookSignature"];
                    /** @description Of W3C Trace Context: the attempt, in the trace of the event. Present for sampled events when the destination's `traceContext` is true. */
                    traceparent?: components["parameters"]["Traceparent"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "version": 1,
                     *       "type": "alias",
                     *       "Previous ID": "5f0c8a2e-guest",
                     *       "User ID": "user-42",
                     *       "previousId": "5f0c8a2e-guest",
                     *       "messageId": "8c1f2f0a-6c58-4c0e-9a53-0f2d1c7b9e45",
                     *       "anonymousId": "5f0c8a2e-guest",
                     *       "userId": "user-42",
                     *       "context": {
                     *         "library": {
                     *           "name": "analytics-node",
                     *           "version": "2.1.0"
                     *         },
                     *         "ip": "203.0.113.7"
                     *       },
                     *       "timestamp": "2026-11-20T23:10:38.958Z",
                     *       "originalTimestamp": "2026-11-20T23:10:38.120Z",
                     *       "sentAt": "2026-11-20T23:10:38.650Z",
                     *       "receivedAt": "2026-11-20T23:10:39.488Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AliasEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Processed"];
                "4XX": components["responses"]["Permanent"];
                "5XX": components["responses"]["Temporary"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    group: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A user belongs to a group. */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The service and its version. */
                    "User-Agent": components["parameters"]["UserAgent"];
                    /** @description Present when the destination has a shared secret: lower-case hex of HMAC-SHA-1, keyed by the secret, over the bytes of this body. */
                    "X-Signature"?: components["parameters"]["Signature"];
                    /** @description Present beside `X-Signature` while the secret is rotated: the same, keyed by the new secret. `X-Signature` is keyed by the previous one until the rotation ends. */
                    "X-Signature-Next"?: components["parameters"]["SignatureNext"];
                    /** @description Of Standard Webhooks, as are the next two; present when the destination's `signature` says so. The same for all attempts of an event. */
                    "webhook-id"?: components["parameters"]["WebhookId"];
                    /** @description When the attempt was made, in seconds since 1970. */
                    "webhook-timestamp"?: components["parameters"]["WebhookTimestamp"];
                    /** @description Signatures over `<webhook-id>.<webhook-timestamp>.<body>`, separated by spaces: `v1,<base64>` with HMAC-SHA-256, `v1a,<base64>` with Ed25519. Two while the secret is rotated, the previous secret's first. */
                    "webhook-signature"?: components["parameters"]["WebhookSignature"];
                    /** @description Of W3C Trace Context: the attempt, in the trace of the event. Present for sampled events when the destination's `traceContext` is true. */
                    traceparent?: components["parameters"]["Traceparent"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "version": 1,
                     *       "type": "group",
                     *       "groupId": "company-7",
                     *       "traits": {
                     *         "name": "Kvarn AB",
                     *         "seats": 12
                     *       },
                     *       "messageId": "8c1f2f0a-6c58-4c0e-9a53-0f2d1c7b9e46",
                     *       "anonymousId": "5f0c8a2e-guest",
                     *       "userId": "user-42",
                     *       "context": {
                     *         "library": {
                     *           "name": "analytics-node",
                     *           "version": "2.1.0"
                     *         },
                     *         "ip": "203.0.113.7"
                     *       },
                     *       "timestamp": "2026-11-20T23:10:38.958Z",
                     *       "originalTimestamp": "2026-11-20T23:10:38.120Z",
                     *       "sentAt": "2026-11-20T23:10:38.650Z",
                     *       "receivedAt": "2026-11-20T23:10:39.488Z"
                     *     }
                     */
                    "application/json": components["schemas"]["GroupEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Processed"];
                "4XX": components["responses"]["Permanent"];
                "5XX": components["responses"]["Temporary"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    delete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A deletion request names this user. */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The service and its version. */
                    "User-Agent": components["parameters"]["UserAgent"];
                    /** @description Present when the destination has a shared secret: lower-case hex of HMAC-SHA-1, keyed by the secret, over the bytes of this body. */
                    "X-Signature"?: components["parameters"]["Signature"];
                    /** @description Present beside `X-Signature` while the secret is rotated: the same, keyed by the new secret. `X-Signature` is keyed by the previous one until the rotation ends. */
                    "X-Signature-Next"?: components["parameters"]["SignatureNext"];
                    /** @description Of Standard Webhooks, as are the next two; present when the destination's `signature` says so. The same for all attempts of an event. */
                    "webhook-id"?: components["parameters"]["WebhookId"];
                    /** @description When the attempt was made, in seconds since 1970. */
                    "webhook-timestamp"?: components["parameters"]["WebhookTimestamp"];
                    /** @description Signatures over `<webhook-id>.<webhook-timestamp>.<body>`, separated by spaces: `v1,<base64>` with HMAC-SHA-256, `v1a,<base64>` with Ed25519. Two while the secret is rotated, the previous secret's first. */
                    "webhook-signature"?: components["parameters"]["WebhookSignature"];
                    /** @description Of W3C Trace Context: the attempt, in the trace of the event. Present for sampled events when the destination's `traceContext` is true. */
                    traceparent?: components["parameters"]["Traceparent"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "type": "delete",
                     *       "messageId": "8c1f2f0a-6c58-4c0e-9a53-0f2d1c7b9e47",
                     *       "userId": "user-42",
                     *       "timestamp": "2026-11-20T23:10:38.958Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DeleteEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Processed"];
                "4XX": components["responses"]["Permanent"];
                "5XX": components["responses"]["Temporary"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    notice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The router has something to say of the workspace.
         * @description Sent to webhooks below a source of the kind `catalog/sources/waybill-notices`, as a `track` event.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The service and its version. */
                    "User-Agent": components["parameters"]["UserAgent"];
                    /** @description Present when the destination has a shared secret: lower-case hex of HMAC-SHA-1, keyed by the secret, over the bytes of this body. */
                    "X-Signature"?: components["parameters"]["Signature"];
                    /** @description Present beside `X-Signature` while the secret is rotated: the same, keyed by the new secret. `X-Signature` is keyed by the previous one until the rotation ends. */
                    "X-Signature-Next"?: components["parameters"]["SignatureNext"];
                    /** @description Of Standard Webhooks, as are the next two; present when the destination's `signature` says so. The same for all attempts of an event. */
                    "webhook-id"?: components["parameters"]["WebhookId"];
                    /** @description When the attempt was made, in seconds since 1970. */
                    "webhook-timestamp"?: components["parameters"]["WebhookTimestamp"];
                    /** @description Signatures over `<webhook-id>.<webhook-timestamp>.<body>`, separated by spaces: `v1,<base64>` with HMAC-SHA-256, `v1a,<base64>` with Ed25519. Two while the secret is rotated, the previous secret's first. */
                    "webhook-signature"?: components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "version": 1,
                     *       "type": "track",
                     *       "event": "destination.parked",
                     *       "properties": {
                     *         "destination": "workspaces/main/sources/shop/destinations/webhooks",
                     *         "displayName": "Orders",
                     *         "since": "2026-11-20T23:10:38.958Z"
                     *       },
                     *       "messageId": "notice-8c1f2f0a6c584c0e9a530f2d1c7b9e41",
                     *       "anonymousId": "workspaces/main/sources/shop/destinations/webhooks",
                     *       "context": {},
                     *       "timestamp": "2026-11-20T23:10:38.958Z",
                     *       "receivedAt": "2026-11-20T23:10:38.958Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Notice"];
                };
            };
            responses: {
                "2XX": components["responses"]["Processed"];
                "4XX": components["responses"]["Permanent"];
                "5XX": components["responses"]["Temporary"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        WebhookEvent: components["schemas"]["PageEvent"] | components["schemas"]["ScreenEvent"] | components["schemas"]["IdentifyEvent"] | components["schemas"]["TrackEvent"] | components["schemas"]["AliasEvent"] | components["schemas"]["GroupEvent"] | components["schemas"]["DeleteEvent"];
        /** @description What the router has to say of a workspace. Each is also a `TrackEvent`, whose `event` is the name of the notice. */
        Notice: components["schemas"]["DestinationParkedNotice"] | components["schemas"]["DestinationRecoveredNotice"] | components["schemas"]["DeliveriesGivenUpNotice"] | components["schemas"]["SecretExpiringNotice"] | components["schemas"]["AudienceFailedNotice"];
        /**
         * @description All settings of webhooks destinations: each property is the bare key of a config entry, with the value that it takes. Other destinations have settings of any name.
         * @example {
         *       "hooks": [
         *         {
         *           "hook": "https://example.com/events",
         *           "headers": {
         *             "X-Team": "web"
         *           }
         *         }
         *       ],
         *       "sharedSecret": "a-long-secret"
         *     }
         */
        WebhooksSettings: {
            /** @description Together with `globalHook` at most five. */
            hooks?: components["schemas"]["Webhook"][];
            /** @description The secret that requests are signed with. Empty for no signature. */
            sharedSecret?: string;
            /** @description The URL of one more webhook, without headers. Empty for none. */
            globalHook?: string;
            signature?: components["schemas"]["SignatureSetting"];
            /** @description How many deliveries are sent in a second at most, evenly, by all routers together; 0 for no limit. What is beyond waits, and no attempt is counted for it. */
            maxPerSecond?: number;
            /** @description How many deliveries are in flight at once at most, over all routers together; 0 for the limit of every destination, 32. */
            maxInFlight?: number;
            shape?: components["schemas"]["Shape"];
            ordering?: components["schemas"]["OrderingSetting"];
            /** @description Whether requests carry a `traceparent` header of W3C Trace Context, by which the receiver continues the trace of the event. Only sampled events of a router that exports traces have one. */
            traceContext?: boolean;
        };
        /** @example workspaces/main/sources/js */
        LimitedTo: string;
        /** @description A personal access token. Only a hash of it is stored. */
        AccessToken: {
            /** @example access-tokens/1 */
            name: string;
            description: string;
            /**
             * @description `workspace` reads and writes; `workspace:read` only reads, and gets `[redacted]` in the place of secrets.
             * @enum {string}
             */
            scopes: "workspace" | "workspace:read";
            /** @description The workspaces that the token may see; an empty list means all of them. */
            workspace_names: string[];
            /** Format: date-time */
            create_time: string;
            /**
             * Format: date-time
             * @description When a request last came with this token, to within a minute. Absent until then.
             */
            last_used_time?: string;
            /** @description The sources and destinations that the token is limited to, with what is below them; everything else is as if it were not there. Absent from other tokens. */
            resource_names?: components["schemas"]["LimitedTo"][];
            /** @description The plaintext, in the answer of the create only. */
            token?: string;
        };
        /** @description Filled while more items exist, the empty string on the last page. The key is always present. */
        NextPageToken: string;
        /** @description The one shape of every error of this API. */
        Status: {
            /** @description What was wrong, where, and what was seen. */
            error: string;
            /**
             * @description 3 invalid argument, 5 not found, 6 already exists, 7 permission denied, 8 resource exhausted, 12 unimplemented, 13 internal, 14 unavailable, 16 unauthenticated.
             * @enum {integer}
             */
            code: 3 | 5 | 6 | 7 | 8 | 12 | 13 | 14 | 16;
        };
        CreateAccessToken: {
            access_token: {
                description: string;
                /** @enum {string} */
                scopes: "workspace" | "workspace:read";
                /** @description The workspaces that the token may see; all of them, those made later too, when empty or absent. */
                workspace_names?: string[];
                /** @description Sources and destinations; their workspaces need not be named. */
                resource_names?: components["schemas"]["LimitedTo"][];
            };
        };
        /** @description The answer of a delete. */
        Empty: Record<string, never>;
        /**
         * @description The explicit list of field paths that the update may change. A path may carry the resource's key in front or leave it out. A listed path without a value sets the field to its empty value; data without a path changes nothing; without any path nothing changes; an unknown path is refused. The paths may also come as one text, separated by commas.
         * @example {
         *       "paths": [
         *         "access_token.description"
         *       ]
         *     }
         */
        AccessTokenMask: {
            paths?: string[];
        };
        UpdateAccessToken: {
            access_token?: {
                description?: string;
                update_mask?: components["schemas"]["AccessTokenMask"];
            };
            update_mask?: components["schemas"]["AccessTokenMask"];
        };
        /** @description The home of sources and tracking plans. */
        Workspace: {
            /** @example workspaces/main */
            name: string;
            display_name: string;
            id: string;
            /** Format: date-time */
            create_time: string;
        };
        /** @description What people call it. */
        DisplayName: string;
        CreateWorkspace: {
            workspace: {
                name: string;
                display_name?: components["schemas"]["DisplayName"];
            };
        };
        /**
         * @description A short name that the customer chose; unlikely to change.
         * @example js
         */
        Slug: string;
        /**
         * @description The explicit list of field paths that the update may change. A path may carry the resource's key in front or leave it out. A listed path without a value sets the field to its empty value; data without a path changes nothing; without any path nothing changes; an unknown path is refused. The paths may also come as one text, separated by commas.
         * @example {
         *       "paths": [
         *         "workspace.display_name"
         *       ]
         *     }
         */
        WorkspaceMask: {
            paths?: string[];
        };
        UpdateWorkspace: {
            workspace?: {
                display_name?: components["schemas"]["DisplayName"];
                update_mask?: components["schemas"]["WorkspaceMask"];
            };
            update_mask?: components["schemas"]["WorkspaceMask"];
        };
        /** @description How many events the senders of a workspace may send. A request with events beyond it is refused whole, with 429 and Retry-After. All routers of a storage count together. */
        Quota: {
            name: string;
            parent: string;
            /** @description On average, with at most one second ahead; 0: no limit. */
            events_per_second: number;
            /** @description Of a day in UTC; 0: no limit. */
            events_per_day: number;
            /** @description Events of requests that were let in; counted while a limit is set. */
            events_today: number;
            /** @description Requests refused by a limit. */
            refused_requests_today: number;
            /**
             * Format: date-time
             * @description When the next day begins.
             */
            reset_time: string;
        };
        /**
         * @description The explicit list of field paths that the update may change. A path may carry the resource's key in front or leave it out. A listed path without a value sets the field to its empty value; data without a path changes nothing; without any path nothing changes; an unknown path is refused. The paths may also come as one text, separated by commas.
         * @example {
         *       "paths": [
         *         "quota.events_per_second"
         *       ]
         *     }
         */
        QuotaMask: {
            paths?: string[];
        };
        QuotaInput: {
            events_per_second?: number;
            events_per_day?: number;
            update_mask?: components["schemas"]["QuotaMask"];
        };
        UpdateQuota: {
            quota?: components["schemas"]["QuotaInput"];
            update_mask?: components["schemas"]["QuotaMask"];
        };
        /** @description 1 to 128 visible ASCII characters, not beginning with a colon. A generated key has 32 alphanumeric characters. A key may hold a colon: in `Authorization: Basic` the text `id:secret:` or `id:secret` stands for the key `id:secret` where a source has it, and for the key `id` otherwise. */
        WriteKey: string;
        /** @description The keys by which events of this source authenticate. All of them are valid at the same time. A token with the scope `workspace:read` gets `[redacted]` for each. */
        WriteKeys: components["schemas"]["WriteKey"][];
        /** @description What client libraries of this source are told. */
        LibraryConfig: {
            metrics_enabled: boolean;
            retry_queue: boolean;
            cross_domain_id_enabled: boolean;
            api_host: string;
        };
        Labels: {
            [key: string]: string;
        };
        /** @description Public keys of senders that prove who they are with OAuth. While a source has any, its write key alone is not enough: each call needs a token that `/token` gave for an assertion signed with the private key of one of them. */
        OauthKeys: {
            /** @description The `kid` of its assertions. */
            key_id: string;
            /** @description In PEM: RSA of 2048 bits or more, or EC P-256. */
            public_key: string;
        }[];
        /** @description Where events come from. */
        Source: {
            /** @example workspaces/main/sources/js */
            name: string;
            parent: string;
            id: string;
            display_name: string;
            /** @example catalog/sources/javascript */
            catalog_name: string;
            write_keys: components["schemas"]["WriteKeys"];
            library_config: components["schemas"]["LibraryConfig"];
            labels: components["schemas"]["Labels"];
            oauth_keys?: components["schemas"]["OauthKeys"];
            /** Format: date-time */
            create_time: string;
        };
        /** @description Keys that senders already have. No other source may have one of them. A create without keys generates one; an update replaces the whole list with 1 to 10 keys, and a key that is no longer in it is refused at once. A key that a source had stays with its workspace: only a token that sees both gives it to a source of another one. */
        WriteKeysInput: components["schemas"]["WriteKey"][];
        LibraryConfigInput: {
            metrics_enabled?: boolean;
            retry_queue?: boolean;
            cross_domain_id_enabled?: boolean;
            api_host?: string;
        };
        CreateSource: {
            source: {
                name: string;
                display_name?: components["schemas"]["DisplayName"];
                catalog_name?: string;
                write_keys?: components["schemas"]["WriteKeysInput"];
                library_config?: components["schemas"]["LibraryConfigInput"];
                labels?: components["schemas"]["Labels"];
                oauth_keys?: components["schemas"]["OauthKeys"];
            };
        };
        /**
         * @description The explicit list of field paths that the update may change. A path may carry the resource's key in front or leave it out. A listed path without a value sets the field to its empty value; data without a path changes nothing; without any path nothing changes; an unknown path is refused. The paths may also come as one text, separated by commas.
         * @example {
         *       "paths": [
         *         "source.labels"
         *       ]
         *     }
         */
        SourceMask: {
            paths?: string[];
        };
        UpdateSource: {
            source?: {
                display_name?: components["schemas"]["DisplayName"];
                catalog_name?: string;
                write_keys?: components["schemas"]["WriteKeysInput"];
                library_config?: components["schemas"]["LibraryConfigInput"];
                labels?: components["schemas"]["Labels"];
                oauth_keys?: components["schemas"]["OauthKeys"];
                update_mask?: components["schemas"]["SourceMask"];
            };
            update_mask?: components["schemas"]["SourceMask"];
        };
        /** @enum {string} */
        EventType: "identify" | "track" | "page" | "screen" | "group" | "alias" | "delete";
        AcceptedEvent: {
            /** @description Cut to 100 characters, as is the name. */
            message_id: string;
            type: components["schemas"]["EventType"];
            /** @description The name of a tracked event; else empty. */
            event: string;
            /** Format: date-time */
            receive_time: string;
        };
        AcceptedEvents: {
            /**
             * Format: date-time
             * @description When counting began.
             */
            since: string;
            count: number;
            accepted_events: components["schemas"]["AcceptedEvent"][];
        };
        LiveEvent: {
            message_id: string;
            type: components["schemas"]["EventType"];
            /** @description The name of a tracked event; else empty. */
            event: string;
            /** @description Empty when the event names no user. */
            user_id: string;
            /** Format: date-time */
            receive_time: string;
            /** @description Names of the destinations that it goes to. */
            destinations: string[];
            /** @description The event as it is stored. */
            payload: {
                [key: string]: unknown;
            };
        };
        /** @description What was accepted since the message before. */
        LiveEvents: {
            /** @description How many events, those that are not listed included. */
            count: number;
            /** @description In the order in which they were accepted. */
            accepted_events: components["schemas"]["LiveEvent"][];
        };
        AcceptedCount: {
            /**
             * Format: date-time
             * @description When the hour began.
             */
            time: string;
            type: components["schemas"]["EventType"];
            count: number;
        };
        AcceptedCounts: {
            /**
             * Format: date-time
             * @description Begin of the first hour.
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the last hour.
             */
            to: string;
            /** @description One for each hour and type of which there were events, oldest hour first. */
            counts: components["schemas"]["AcceptedCount"][];
        };
        /**
         * @description empty_batch: the batch holds no event. no_user_anon_id: neither userId nor anonymousId. id_required: a group without groupId, or an alias without previousId or userId. id_not_string: an id that is neither text nor a number, or the only one is empty. name_not_string: the name of a page or screen is empty, or no text. bad_request: no object, of no known type, with a context or integrations that are no objects, or nested deeper than 1 000 levels. event_too_large: over 32 KB. too_many_events: in a batch of more than 2 500.
         * @enum {string}
         */
        DropReason: "empty_batch" | "no_user_anon_id" | "id_required" | "id_not_string" | "event_not_defined" | "event_not_string" | "properties_not_object" | "traits_not_object" | "name_not_string" | "category_not_string" | "bad_request" | "event_too_large" | "too_many_events";
        DroppedEvent: {
            reason: components["schemas"]["DropReason"];
            /** Format: date-time */
            receive_time: string;
            /** @description As sent; cut to 100 characters, as are the others. */
            type?: string;
            message_id?: string;
            event?: string;
        };
        /**
         * @description Why an event that is right in itself is not wanted. suppressed: it is of a user whom a regulation suppresses. unplanned, schema_violation, common_schema_violation: the schema configuration blocks what the tracking plan does not list, what violates the rule of its event, and what violates the rule for all events. undeliverable: an enabled destination is of a kind that delivers nothing; once for each such destination, and other destinations get the event.
         * @enum {string}
         */
        BlockReason: "suppressed" | "unplanned" | "schema_violation" | "common_schema_violation" | "undeliverable";
        BlockedEvent: {
            reason: components["schemas"]["BlockReason"];
            /** Format: date-time */
            receive_time: string;
            /** @description As sent; cut to 100 characters, as are the others. */
            type?: string;
            message_id?: string;
            event?: string;
        };
        /**
         * @description Why an event is not stored as it was sent. timestamp_unreadable: its `timestamp` is not a time, or not one between the years 0 and 9999, so the time of its arrival is used. sent_at_unreadable: its `sentAt`, or that of its batch, is not a time, so its `timestamp` is not corrected.
         * @enum {string}
         */
        AdjustReason: "timestamp_unreadable" | "sent_at_unreadable";
        AdjustedEvent: {
            reason: components["schemas"]["AdjustReason"];
            /** Format: date-time */
            receive_time: string;
            /** @description As sent; cut to 100 characters, as are the others. */
            type?: string;
            message_id?: string;
            event?: string;
        };
        DroppedEvents: {
            /**
             * Format: date-time
             * @description When counting began.
             */
            since: string;
            counts: {
                reason: components["schemas"]["DropReason"];
                count: number;
            }[];
            dropped_events: components["schemas"]["DroppedEvent"][];
            blocked_counts: {
                reason: components["schemas"]["BlockReason"];
                count: number;
            }[];
            blocked_events: components["schemas"]["BlockedEvent"][];
            adjusted_counts: {
                reason: components["schemas"]["AdjustReason"];
                count: number;
            }[];
            adjusted_events: components["schemas"]["AdjustedEvent"][];
        };
        /**
         * @description unplanned_event: the plan does not list the event. unplanned_property, unplanned_trait: the rule does not list the field. required_missing: the rule asks for it. type_mismatch: of another JSON type. value_not_allowed: outside of what the rule allows (enum, pattern, format, bounds). rule_violated: anything else in the rule. plan_unusable: the rule itself is invalid, so the event was not validated.
         * @enum {string}
         */
        ViolationKind: "unplanned_event" | "unplanned_property" | "unplanned_trait" | "required_missing" | "type_mismatch" | "value_not_allowed" | "rule_violated" | "plan_unusable";
        ViolationCount: {
            /** @description The type of the call. */
            type: string;
            /** @description The name of a tracked event. A source has at most about 1 000 pairs of name and kind, in a shared database for each day; what has further names is counted without one. */
            event?: string;
            kind: components["schemas"]["ViolationKind"];
            count: number;
        };
        Violation: {
            kind: components["schemas"]["ViolationKind"];
            /**
             * @description What happened: the field was kept (allowed) or removed (omitted), or the event was blocked.
             * @enum {string}
             */
            action: "allowed" | "omitted" | "blocked";
            /** @description The rule of the plan that says so: event, identify, group or global. */
            rule?: string;
            /**
             * @description Where in the event.
             * @example properties.products[0].price
             */
            field?: string;
            /** @description What is wrong, or must be. */
            message: string;
            tracking_plan_id: string;
            /** @description The type of the call. */
            type: string;
            /** @description The name of a tracked event. */
            event?: string;
            message_id: string;
            /** Format: date-time */
            receive_time: string;
        };
        Violations: {
            /**
             * Format: date-time
             * @description When counting began.
             */
            since: string;
            counts: components["schemas"]["ViolationCount"][];
            violations: components["schemas"]["Violation"][];
        };
        /** @description The slug of another source of the workspace; the empty string forwards nothing. */
        ForwardingSource: string;
        /** @description What is done with events that the tracking plan of a source does not foresee, or that violate it. It holds for the next event. A source without a plan lets everything through. */
        SchemaConfig: {
            name: string;
            parent: string;
            /** @description false: tracked events that the plan does not list are blocked. */
            allow_unplanned_track_events: boolean;
            /** @description false: traits of identify that the plan does not list are removed. */
            allow_unplanned_identify_traits: boolean;
            /** @description false: traits of group that the plan does not list are removed. */
            allow_unplanned_group_traits: boolean;
            /** @description false: properties that the rule of the event does not list are removed. */
            allow_unplanned_track_event_properties: boolean;
            /** @description false: tracked events that violate the rule of their event are blocked. */
            allow_track_event_on_violations: boolean;
            /** @description false: traits that violate the rule of identify are removed. */
            allow_identify_traits_on_violations: boolean;
            /** @description false: traits that violate the rule of group are removed. */
            allow_group_traits_on_violations: boolean;
            /** @description false: properties that violate the rule of the event are removed. */
            allow_track_properties_on_violations: boolean;
            /** @description The source that blocked events go on to. */
            forwarding_blocked_events_to: components["schemas"]["ForwardingSource"];
            /** @description The source that gets each violation, as a track call "Violation Generated". */
            forwarding_violations_to: components["schemas"]["ForwardingSource"];
            /**
             * @description Of tracked events that violate the rule for all events (global).
             * @enum {string}
             */
            common_track_event_on_violations: "ALLOW" | "OMIT_PROPERTIES" | "BLOCK";
            /**
             * @description Of identify calls that violate the rule for all events (global).
             * @enum {string}
             */
            common_identify_event_on_violations: "ALLOW" | "OMIT_TRAITS" | "BLOCK";
            /**
             * @description Of group calls that violate the rule for all events (global).
             * @enum {string}
             */
            common_group_event_on_violations: "ALLOW" | "OMIT_TRAITS" | "BLOCK";
        };
        /**
         * @description The explicit list of field paths that the update may change. A path may carry the resource's key in front or leave it out. A listed path without a value sets the field to its empty value; data without a path changes nothing; without any path nothing changes; an unknown path is refused. The paths may also come as one text, separated by commas.
         * @example {
         *       "paths": [
         *         "schema_config.allow_unplanned_track_events"
         *       ]
         *     }
         */
        SchemaConfigMask: {
            paths?: string[];
        };
        SchemaConfigInput: {
            allow_unplanned_track_events?: boolean;
            allow_unplanned_identify_traits?: boolean;
            allow_unplanned_group_traits?: boolean;
            allow_unplanned_track_event_properties?: boolean;
            allow_track_event_on_violations?: boolean;
            allow_identify_traits_on_violations?: boolean;
            allow_group_traits_on_violations?: boolean;
            allow_track_properties_on_violations?: boolean;
            forwarding_blocked_events_to?: components["schemas"]["ForwardingSource"];
            forwarding_violations_to?: components["schemas"]["ForwardingSource"];
            /** @enum {string} */
            common_track_event_on_violations?: "ALLOW" | "OMIT_PROPERTIES" | "BLOCK";
            /** @enum {string} */
            common_identify_event_on_violations?: "ALLOW" | "OMIT_TRAITS" | "BLOCK";
            /** @enum {string} */
            common_group_event_on_violations?: "ALLOW" | "OMIT_TRAITS" | "BLOCK";
            update_mask?: components["schemas"]["SchemaConfigMask"];
        };
        UpdateSchemaConfig: {
            schema_config?: components["schemas"]["SchemaConfigInput"];
            update_mask?: components["schemas"]["SchemaConfigMask"];
        };
        /**
         * @description Webhooks are served in cloud mode only.
         * @enum {string}
         */
        ConnectionMode: "UNSPECIFIED" | "CLOUD" | "DEVICE";
        /** @enum {string} */
        ConfigType: "string" | "password" | "color" | "select" | "boolean" | "number" | "list" | "map" | "mixed" | "multi_line_string";
        /**
         * @description One setting of a destination. Of webhooks destinations: `hooks` (mixed, `[{hook, headers}]`), `sharedSecret` (string), `globalHook` (string, one more URL) and, present once they are set, `signature` (select), `maxPerSecond` and `maxInFlight` (numbers), `shape` (mixed), `ordering` (select), and `traceContext` (boolean). `hooks` and `globalHook` are together at most five webhooks, and at least one while the destination is enabled. An event is delivered once any one of them accepts it. A `hook` is a full http or https URL without credentials; `headers` are a list of `{key, value}` or a map, without names that Waybill or HTTP itself sets.
         *
         *     A token with the scope `workspace:read` gets `[redacted]` in the place of `sharedSecret`, of the values of headers, of what stands behind the host of a URL, and of settings of other destinations that are called as secrets are. An answer with `[redacted]` has no `ETag`, and a setting with it is rejected.
         */
        ConfigEntry: {
            /** @example workspaces/main/sources/js/destinations/webhooks/config/hooks */
            name: string;
            display_name: string;
            type: components["schemas"]["ConfigType"];
            /** @description Of the kind that the type says. */
            value: unknown;
        };
        /** @description Present while two secrets are valid. At its end requests are signed with the new secret alone. */
        SecretRotation: {
            /** Format: date-time */
            start_time: string;
            /** Format: date-time */
            end_time: string;
        };
        /** @description Where the events of a source go. */
        Destination: {
            /** @example workspaces/main/sources/js/destinations/webhooks */
            name: string;
            parent: string;
            /** @description Events name the destination by it in `integrations`, as `{"<display_name>": false}`; `Webhooks` names all webhooks destinations of the source. What the event says of the one destination overrides what it says of all. */
            display_name: string;
            /**
             * @description Its entry of the catalog, where the slug does not say it.
             * @example catalog/destinations/webhooks
             */
            catalog_name?: string;
            enabled: boolean;
            /** @description Whether events are sent there: `false` for a destination of a kind that Waybill only stores. While such a destination is enabled, events for it are counted as `undeliverable` among the blocked ones. */
            readonly deliverable: boolean;
            connection_mode: components["schemas"]["ConnectionMode"];
            config: components["schemas"]["ConfigEntry"][];
            rotation?: components["schemas"]["SecretRotation"];
            /** @description Present when requests are signed with Ed25519: the public keys that verify them, `whpk_<base64>`. During a rotation the previous one comes first. */
            readonly public_keys?: string[];
            /** Format: date-time */
            create_time: string;
            /** Format: date-time */
            update_time: string;
        };
        ConfigEntryInput: {
            /** @description The full name, or the bare key. Those of webhooks destinations are the properties of `WebhooksSettings`. */
            name: string;
            type?: components["schemas"]["ConfigType"];
            /** @description Without it the setting takes its empty value. */
            value?: unknown;
        };
        CreateDestination: {
            destination: {
                name: string;
                display_name?: components["schemas"]["DisplayName"];
                /**
                 * @description An entry of the catalog of destinations, for a destination with a slug of its own. It cannot be changed later.
                 * @example catalog/destinations/webhooks
                 */
                catalog_name?: string;
                /** @description Whether it gets events; false when absent. */
                enabled?: boolean;
                connection_mode?: components["schemas"]["ConnectionMode"];
                config?: components["schemas"]["ConfigEntryInput"][];
            };
        };
        /**
         * @description The explicit list of field paths that the update may change. A path may carry the resource's key in front or leave it out. A listed path without a value sets the field to its empty value; data without a path changes nothing; without any path nothing changes; an unknown path is refused. The paths may also come as one text, separated by commas.
         * @example {
         *       "paths": [
         *         "destination.enabled"
         *       ]
         *     }
         */
        DestinationMask: {
            paths?: string[];
        };
        UpdateDestination: {
            destination?: {
                display_name?: components["schemas"]["DisplayName"];
                enabled?: boolean;
                connection_mode?: components["schemas"]["ConnectionMode"];
                config?: components["schemas"]["ConfigEntryInput"][];
                update_mask?: components["schemas"]["DestinationMask"];
            };
            update_mask?: components["schemas"]["DestinationMask"];
        };
        RotateSecret: {
            /** @description The new secret. Without it a random one is made. */
            secret?: string;
            /**
             * @description Of the secret that is made: `hmac-sha256` for `whsec_<base64>`, which `X-Signature` can be made with as well, `ed25519` for `whsk_<base64>`. Without it the one of the previous secret, `hmac-sha256` where there was none.
             * @enum {string}
             */
            algorithm?: "hmac-sha256" | "ed25519";
            /** @description How long both secrets are valid; 86400 (a day) when absent, 0 for no overlap, at most 604800 (a week). */
            overlap_seconds?: number;
        };
        RotatedSecret: {
            /** @description The secret that was made; absent when it was given. */
            secret?: string;
            destination: components["schemas"]["Destination"];
        };
        /**
         * @description `pending` waits for its due time, `trying` is being sent; the others have ended: `delivered`, `failed` (every webhook refused it for good), `expired` (the four hours are over), `cancelled` (the destination was disabled or removed; for what an audience tells also: a later value was told of the user).
         * @enum {string}
         */
        DeliveryState: "pending" | "trying" | "delivered" | "failed" | "expired" | "cancelled";
        /** @description An event on its way to one destination. */
        Delivery: {
            /** @example workspaces/main/sources/js/destinations/webhooks/deliveries/17 */
            name: string;
            parent: string;
            message_id: string;
            type: components["schemas"]["EventType"];
            /** @description The name of a tracked event; else empty. */
            event: string;
            /** @description Empty when the event names no user. */
            user_id: string;
            state: components["schemas"]["DeliveryState"];
            /** @description Rounds begun, over all replays. */
            round_count: number;
            replay_count: number;
            /**
             * Format: date-time
             * @description When the event was accepted.
             */
            receive_time: string;
            /**
             * Format: date-time
             * @description When the next round is due; only while pending.
             */
            due_time?: string;
            /**
             * Format: date-time
             * @description When it ended; only once it has.
             */
            end_time?: string;
        };
        /** @description Duration of the phases of an attempt, in milliseconds. Phases that were not reached are absent, and all of them when nothing was tried. */
        AttemptPhases: {
            /** @description Until there was a connection: look-up, TCP and TLS, or waiting for one that is kept. */
            connect_ms?: number;
            /** @description Until the request was sent. */
            send_ms?: number;
            /** @description Until the answer began. */
            wait_ms?: number;
            /** @description Until the answer was read as far as it is read. */
            read_ms?: number;
        };
        /** @description One POST to one webhook. Headers and secrets are not shown, nor are paths and query strings, where many providers keep one. */
        DeliveryAttempt: {
            /**
             * @description Scheme, host and port of its URL.
             * @example https://example.com
             */
            webhook: string;
            /** @description Which webhook of the destination it is, as its settings are now: from 1 on, in the order of `hooks`, then `globalHook`. Absent when it is there no longer. */
            webhook_number?: number;
            /** Format: date-time */
            start_time: string;
            duration_ms: number;
            phases?: components["schemas"]["AttemptPhases"];
            /**
             * @description How it ended, in a closed vocabulary.
             * @example delivered
             * @example http_5xx
             * @example first_byte_timeout
             * @example tls_untrusted
             */
            outcome: string;
            /** @description The HTTP status, if there was an answer. */
            status?: number;
            /** @description The first 1 KB of the answer, or what the network said. Values of secrets and headers, and paths and queries of URLs, are masked in every encoding. */
            excerpt: string;
            /**
             * @description The rule that decided what happens next: `first_success_ends`, `temporary_failure_is_retried`, `permanent_failure_ends` or `untrusted_certificate_ends`.
             * @example temporary_failure_is_retried
             */
            rule: string;
            /** @description That rule in words. */
            decision: string;
            /**
             * @description What this attempt led to for its webhook.
             * @enum {string}
             */
            next: "delivered" | "retried" | "closed" | "none";
            /**
             * Format: date-time
             * @description When the next round was due; only if retried.
             */
            next_due_time?: string;
        };
        /** @description One try at all webhooks that were still open. */
        DeliveryRound: {
            round: number;
            attempts: components["schemas"]["DeliveryAttempt"][];
        };
        /** @description What happened in plain words, and what may help. */
        Explanation: {
            summary: string;
            timeline: {
                /** Format: date-time */
                time: string;
                text: string;
            }[];
            hints: string[];
        };
        /** @description A delivery with all that was done about it. */
        DeliveryStory: components["schemas"]["Delivery"] & {
            /** @description With the last 500 attempts at most. */
            rounds: components["schemas"]["DeliveryRound"][];
            explanation: components["schemas"]["Explanation"];
        };
        /** @description Which deliveries are sent again. Only those that have ended are, and those that succeeded only if asked for. */
        ReplayFilter: {
            /**
             * @description Without it `failed`, `expired` and `cancelled`.
             * @enum {string}
             */
            state?: "delivered" | "failed" | "expired" | "cancelled";
            type?: components["schemas"]["EventType"];
            /** @description The name of a tracked event. */
            event?: string;
            user_id?: string;
            /**
             * Format: date-time
             * @description Only what was accepted then or later.
             */
            from?: string;
            /**
             * Format: date-time
             * @description Only what was accepted before.
             */
            to?: string;
        };
        /** @description A bulk replay. */
        Replay: {
            /** @example workspaces/main/sources/js/destinations/webhooks/replays/3 */
            name: string;
            parent: string;
            filter: components["schemas"]["ReplayFilter"];
            dry_run: boolean;
            per_second: number;
            /** @enum {string} */
            state: "running" | "finished" | "cancelled";
            /** @description Deliveries that it has looked at so far. */
            examined: number;
            /** @description How many of them the filter chose, and may be sent again. */
            matched: number;
            /** @description How many of them were made pending again; 0 in a dry run. */
            replayed: number;
            /** Format: date-time */
            create_time: string;
            /**
             * Format: date-time
             * @description Only once it has ended.
             */
            end_time?: string;
        };
        CreateReplay: {
            filter?: components["schemas"]["ReplayFilter"];
            /** @description Only count what would be sent again. */
            dry_run?: boolean;
            /** @description How many deliveries are sent again in a second; 50 when absent. */
            per_second?: number;
        };
        Circuit: {
            /**
             * @description `closed`: deliveries are sent. `open` (parked): the destination failed too often; deliveries wait, and one is sent as a probe when it is due. `half_open`: the probe is under way.
             * @enum {string}
             */
            state: "closed" | "open" | "half_open";
            /** @description Probes that have failed in a row, the round that opened the circuit included. */
            failed_probe_count: number;
            /**
             * Format: date-time
             * @description When the next probe is due, while open.
             */
            next_probe_time?: string;
            /** @description The delivery that is the probe, while half open. */
            probe?: string;
        };
        DestinationQueue: {
            /** @example workspaces/main/sources/js/destinations/webhooks/queue */
            name: string;
            circuit: components["schemas"]["Circuit"];
            /** @description Deliveries that are stored, and are not being tried. */
            waiting_count: number;
            /**
             * Format: date-time
             * @description When the oldest of them was accepted or replayed; absent when nothing waits.
             */
            oldest_waiting_time?: string;
            /**
             * Format: date-time
             * @description When the next of them is due; while the circuit is not closed, they wait longer.
             */
            next_due_time?: string;
        };
        DeliveryMetric: {
            /** @example workspaces/main/sources/js/destinations/webhooks/metrics/retried_502 */
            name: string;
            parent: string;
            /** @enum {string} */
            unit: "count" | "milliseconds";
            /** @description One for each hour in which there was something to count, oldest first. */
            points: {
                /**
                 * Format: date-time
                 * @description When the hour began.
                 */
                time: string;
                value: number;
            }[];
        };
        DeliveryMetricsSummary: {
            name: string;
            parent: string;
            /**
             * Format: date-time
             * @description Begin of the first hour.
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the last hour.
             */
            to: string;
            successes: number;
            failures: number;
            expirations: number;
            cancellations: number;
            /** @description Attempts that failed and were tried again. */
            retries: number;
            /**
             * @description The same by HTTP status, or by outcome where there was no answer.
             * @example {
             *       "502": 3,
             *       "first_byte_timeout": 1
             *     }
             */
            retries_by_status: {
                [key: string]: number;
            };
            /** @description From acceptance, or from the last replay, to success, in milliseconds; at most 4.5 % too high. Only if there was a success. */
            time_to_success?: {
                p50: number;
                p95: number;
                p99: number;
            };
        };
        BatchNames: {
            /** @description Full names, at most a hundred. */
            names?: string[];
        };
        Traffic: {
            /**
             * Format: date-time
             * @description When the minute or hour began.
             */
            time: string;
            /** @description Events. */
            accepted: number;
            /** @description Deliveries. */
            delivered: number;
            /** @description Deliveries that failed for good or expired. */
            failed: number;
        };
        DestinationOverview: {
            /** @example workspaces/main/sources/js/destinations/webhooks */
            name: string;
            display_name: string;
            enabled: boolean;
            circuit: components["schemas"]["Circuit"];
            waiting_count: number;
            /** Format: date-time */
            oldest_waiting_time?: string;
            /** @description Of the last 24 hours. */
            successes: number;
            failures: number;
            expirations: number;
            /** @description Attempts that failed and were tried again. */
            retries: number;
            /** @description In milliseconds; absent when nothing was delivered. */
            time_to_success_p95?: number;
        };
        Overview: {
            /** @example workspaces/main/overview */
            name: string;
            /** Format: date-time */
            read_time: string;
            /**
             * Format: date-time
             * @description Since when accepted events, and what happened in each minute, are counted. A router that has its storage alone begins anew when it starts.
             */
            count_start_time: string;
            source_count: number;
            destination_count: number;
            /** @description Routers that share the storage. */
            router_count: number;
            /** @description Destinations whose circuit is not closed. */
            open_circuit_count: number;
            /** @description Deliveries that are stored, and are not being tried. */
            waiting_count: number;
            /**
             * Format: date-time
             * @description When the oldest of them was accepted or replayed; absent when nothing waits.
             */
            oldest_waiting_time?: string;
            /** @description The last 60 minutes, oldest first, without those in which there was nothing. */
            minutes: components["schemas"]["Traffic"][];
            /** @description The last 24 hours, oldest first, without those in which there was nothing. */
            hours: components["schemas"]["Traffic"][];
            /** @description At most a hundred; those that need attention come first. */
            destinations: components["schemas"]["DestinationOverview"][];
        };
        /** @description An FQL condition. `all` matches every event, an empty condition none (docs/fql.md). */
        Condition: string;
        FieldList: {
            /** @description Names of fields; steps within are joined by dots, and a dot within a name has a backslash before it. */
            fields: string[];
        };
        /** @description drop_event: the event does not go to this destination. sample_event: of the events, the share `percent` goes there; with a `path`, all or none of those with the same value there. blacklist_fields (or blocklist_fields): the listed fields are removed. whitelist_fields (or allowlist_fields): of the named groups, only the listed fields are kept. Actions of all filters apply in this order: sample, drop, remove, keep. */
        FilterAction: {
            /** @enum {string} */
            type: "drop_event" | "sample_event" | "whitelist_fields" | "blacklist_fields" | "allowlist_fields" | "blocklist_fields";
            percent?: number;
            path?: string;
            fields?: {
                context?: components["schemas"]["FieldList"];
                properties?: components["schemas"]["FieldList"];
                traits?: components["schemas"]["FieldList"];
            };
        };
        Filter: {
            name: string;
            title: string;
            description: string;
            if: components["schemas"]["Condition"];
            actions: components["schemas"]["FilterAction"][];
            enabled: boolean;
            /** @description How often its condition or actions exceeded the evaluation budget of an event, since the router started, or, with a shared database, in the last 7 days. The event was then dropped, or sent without the fields in question. Absent when it never happened. */
            readonly undecided_count?: number;
            /**
             * Format: date-time
             * @description When the last such event was received.
             */
            readonly last_undecided_time?: string;
        };
        /** @description `events`, a list of `{name, version, rules}`, each with a JSON Schema (draft-07, or draft-04) of the whole event; and the JSON Schemas `global`, for all events, `identify` and `group`. A rule that could not be used is refused: one that is too large (100 000 bytes; 1 000 schemas, 5 000 values, each reference counted as what it stands for), a reference out of the rule or back to itself, a regular expression that RE2 does not run (look-around, back-references). */
        TrackingPlanRules: {
            [key: string]: unknown;
        };
        /** @description What events should look like. Its rules are kept and given back verbatim; events of connected sources are held to them. */
        TrackingPlan: {
            name: string;
            display_name: string;
            rules: components["schemas"]["TrackingPlanRules"];
            /** Format: date-time */
            create_time: string;
            /** Format: date-time */
            update_time: string;
            /** @description How many events used up what one event may take before they were checked, since the router started, or, with a shared database, in the last 7 days; each was treated as violating its rule. Absent while it never happened. */
            readonly undecided_count?: number;
            /**
             * Format: date-time
             * @description When the last such event was received.
             */
            readonly last_undecided_time?: string;
        };
        CreateTrackingPlan: {
            tracking_plan: {
                display_name: components["schemas"]["DisplayName"];
                rules?: components["schemas"]["TrackingPlanRules"];
            };
        };
        /**
         * @description The explicit list of field paths that the update may change. A path may carry the resource's key in front or leave it out. A listed path without a value sets the field to its empty value; data without a path changes nothing; without any path nothing changes; an unknown path is refused. The paths may also come as one text, separated by commas.
         * @example {
         *       "paths": [
         *         "tracking_plan.display_name"
         *       ]
         *     }
         */
        TrackingPlanMask: {
            paths?: string[];
        };
        UpdateTrackingPlan: {
            tracking_plan?: {
                display_name?: components["schemas"]["DisplayName"];
                rules?: components["schemas"]["TrackingPlanRules"];
                update_mask?: components["schemas"]["TrackingPlanMask"];
            };
            update_mask?: components["schemas"]["TrackingPlanMask"];
        };
        SourceConnection: {
            /** @example workspaces/main/sources/js */
            source_name: string;
            tracking_plan_id: string;
        };
        /** @description The full name of a source of this workspace, or its slug alone. */
        SourceReference: string;
        CreateSourceConnection: {
            source_name: components["schemas"]["SourceReference"];
        };
        BatchCreateSourceConnections: {
            source_names: components["schemas"]["SourceReference"][];
        };
        NewFilter: {
            title?: string;
            description?: string;
            if: components["schemas"]["Condition"];
            actions?: components["schemas"]["FilterAction"][];
            /** @description Whether it acts on events; false when absent. */
            enabled?: boolean;
        };
        CreateFilter: {
            filter: components["schemas"]["NewFilter"];
        };
        /**
         * @description The explicit list of field paths that the update may change. A path may carry the resource's key in front or leave it out. A listed path without a value sets the field to its empty value; data without a path changes nothing; without any path nothing changes; an unknown path is refused. The paths may also come as one text, separated by commas.
         * @example {
         *       "paths": [
         *         "enabled"
         *       ]
         *     }
         */
        FilterMask: {
            paths?: string[];
        };
        UpdateFilter: {
            filter?: {
                title?: string;
                description?: string;
                if?: components["schemas"]["Condition"];
                actions?: components["schemas"]["FilterAction"][];
                enabled?: boolean;
                update_mask?: components["schemas"]["FilterMask"];
            };
            update_mask?: components["schemas"]["FilterMask"];
        };
        PreviewFilter: {
            filter: components["schemas"]["NewFilter"];
            /** @description An event as a JSON text. It need not be complete: of `type` (`track`), `messageId`, `context`, `timestamp` and `receivedAt`, what is missing is added. Unknown fields are removed. */
            input: string;
        };
        FilterPreview: {
            /** @description Whether the event is dropped, by a drop or a sample. */
            dropped: boolean;
            /** @description The filtered event as JSON text. Absent when it is dropped. */
            output?: string;
            /** @description Whether the condition or the actions exceeded the evaluation budget. The event is then dropped, or loses the fields in question. */
            undecided: boolean;
        };
        ShapePath: string;
        ShapePaths: components["schemas"]["ShapePath"][];
        /** @description Leaves nothing but what the paths name, in each object of a list too. */
        ShapeKeep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            op: "keep";
            paths: components["schemas"]["ShapePaths"];
        };
        /** @description Removes what the paths name, in each object of a list too. */
        ShapeDrop: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            op: "drop";
            paths: components["schemas"]["ShapePaths"];
        };
        /** @description Moves a value, in the place of what stands at `to`. Does nothing where there is none, or where a value that is no object is in the way. */
        ShapeRename: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            op: "rename";
            from: components["schemas"]["ShapePath"];
            to: components["schemas"]["ShapePath"];
        };
        /** @description Sets what an FQL expression comes to for the body as it is now (`properties.total`, `"EUR"`, `lowercase(event)`); docs/fql.md. Does nothing where that is null, or where a value that is no object is in the way. */
        ShapeSet: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            op: "set";
            path: components["schemas"]["ShapePath"];
            /** @description An FQL expression. */
            value: string;
        };
        ShapeOperation: components["schemas"]["ShapeKeep"] | components["schemas"]["ShapeDrop"] | components["schemas"]["ShapeRename"] | components["schemas"]["ShapeSet"];
        /** @description What is done with the body of each event before it is signed and sent, in this order; each operation sees what those before it left. Empty for the bodies of this document. With a shape, bodies are what it makes of them. Notices of deleted users (`delete`) are sent whole. A path joins names by dots; a dot within a name has a backslash before it. */
        Shape: components["schemas"]["ShapeOperation"][];
        PreviewShape: {
            shape: components["schemas"]["Shape"];
            /** @description An event as a JSON text. It need not be complete: of `type` (`track`), `messageId`, `context`, `timestamp` and `receivedAt`, what is missing is added. Unknown fields are removed. */
            input: string;
        };
        ShapePreview: {
            /** @description The body as it would be signed and sent. */
            output: string;
            /** @description Whether the shape exceeded the evaluation budget, or makes a body of more than 64 KB. The body is then reduced to `version`, `type`, `messageId` and `timestamp`. */
            undecided: boolean;
        };
        /**
         * @description Delete: what is stored under these user ids is deleted, and each source of the workspace that has webhooks enabled sends a `delete` event for each of them. Delete_Internal: the same, without the events. Suppress: later events of the users are dropped, until Unsuppress. Suppress_With_Delete: both. A regulation of one source does all of this in that source alone, and Unsuppress undoes only what was suppressed in the same place: in the workspace, or in the source.
         * @enum {string}
         */
        RegulationType: "Suppress" | "Unsuppress" | "Suppress_With_Delete" | "Delete" | "Delete_Internal";
        /**
         * @description From INITIALIZED by way of RUNNING to FINISHED. The others are reserved.
         * @enum {string}
         */
        RegulationStatus: "INITIALIZED" | "INVALID" | "NOT_SUPPORTED" | "RUNNING" | "PARTIAL_SUCCESS" | "FAILED" | "FINISHED";
        /** @description One request, for the users that it named; their ids are not answered. What is stored of a user are the messages that carry the id as `userId`, or as `previousId` of an alias, with their deliveries and attempts. */
        Regulation: {
            name: string;
            regulate_id: string;
            parent: string;
            /** @description The source that it is limited to. Absent where it holds for the whole workspace. */
            source_name?: string;
            regulation_type: components["schemas"]["RegulationType"];
            overall_status: components["schemas"]["RegulationStatus"];
            /** @description Each source that is affected, from the moment the regulation runs; of one that is finished, the first hundred. */
            source_status: {
                source_name: string;
                status: components["schemas"]["RegulationStatus"];
            }[];
            /** Format: date-time */
            create_time: string;
            /** Format: date-time */
            finish_time?: string;
        };
        CreateRegulation: {
            regulation_type: components["schemas"]["RegulationType"];
            attributes: {
                /** @enum {string} */
                name: "userId";
                /** @description The ids of the users. */
                values: string[];
            };
        };
        SuppressedUser: {
            user_id: string;
            /** Format: date-time */
            suppress_time: string;
        };
        AuditEntry: {
            /** @example workspaces/main/audit-entries/12 */
            name: string;
            /**
             * Format: date-time
             * @description When the change was made.
             */
            create_time: string;
            /**
             * @description What was asked for.
             * @example updateDestination
             */
            operation: string;
            /** @description Name of the resource that was created or changed or deleted. */
            resource: string;
            /**
             * @description Paths of the fields that an update changed; empty for what was created or deleted.
             * @example [
             *       "enabled",
             *       "config.sharedSecret"
             *     ]
             */
            fields: string[];
            /** @description Name of the access token that was used. */
            token: string;
            /** @description Its description at that time. */
            token_description: string;
            /** @description Where the request came from; behind a proxy only if the router trusts it. */
            address: string;
        };
        /** @description The trait that destinations are told, the snake_case form of the name when it was made. It never changes, and no other audience or computed trait of the workspace gets it. */
        Key: string;
        /** @description What people call it. */
        Name: string;
        /** @description Who is a member. It has exactly one of `all`, `any` and `not`, `trait` with `is`, `events`, `member_of`, and `computed_trait` with `is`; at most 50 conditions on 8 levels. What is missing makes each comparison false, and `not` is the complement among all profiles of the workspace. */
        Definition: {
            all?: components["schemas"]["Definition"][];
            any?: components["schemas"]["Definition"][];
            not?: components["schemas"]["Definition"];
            /** @description Name of a trait: the value that the last identify of the user gave it. */
            trait?: string;
            is?: components["schemas"]["Comparison"];
            events?: components["schemas"]["EventsCondition"];
            /** @description Full name of another audience of the workspace. */
            member_of?: string;
            /** @description Full name of a computed trait of the workspace. */
            computed_trait?: string;
        };
        Scalar: string | number | boolean;
        /** @description Exactly one operator. Only values of the same type are equal, and only numbers are less or greater. */
        Comparison: {
            eq?: components["schemas"]["Scalar"];
            neq?: components["schemas"]["Scalar"];
            gt?: number;
            gte?: number;
            lt?: number;
            lte?: number;
            in?: components["schemas"]["Scalar"][];
            contains?: components["schemas"]["Scalar"];
            starts_with?: string;
            /** @description Always true; for what is missing put `not` around it. */
            exists?: boolean;
            /** @description A time in ISO 8601. */
            before?: string;
            /** @description A time in ISO 8601. */
            after?: string;
        };
        /**
         * @description Which events, in FQL.
         * @example event = 'Order Completed'
         */
        Where: string;
        /** @description One of `within`, `between` (the nearer end first) and `since`; absent, all events count. Durations are whole hours or days, from 1h to 730d, back from the end of the hour in which a sync begins. */
        Window: {
            /** @example 30d */
            within?: string;
            /**
             * @example [
             *       "30d",
             *       "90d"
             *     ]
             */
            between?: string[];
            /**
             * @description A whole hour in ISO 8601.
             * @example 2026-01-01T00:00:00Z
             */
            since?: string;
        };
        /** @description Full names of sources of the workspace; absent, the events of all of them count. */
        SourceNames: string[];
        /**
         * @description The path of a value in an event, as in FQL.
         * @example properties.total
         */
        ValuePath: string;
        /** @description A comparison, of what is made of the values at a path. */
        ComparedValue: {
            of: components["schemas"]["ValuePath"];
            eq?: components["schemas"]["Scalar"];
            neq?: components["schemas"]["Scalar"];
            gt?: number;
            gte?: number;
            lt?: number;
            lte?: number;
            in?: components["schemas"]["Scalar"][];
            contains?: components["schemas"]["Scalar"];
            starts_with?: string;
            exists?: boolean;
            before?: string;
            after?: string;
        };
        /** @description A condition on the events of the user, with at most one measure; without one there has to be an event. `count`, `days` (of UTC, in which there was an event), `sum` and `distinct` are 0 where there was none; the others are missing. */
        EventsCondition: {
            where: components["schemas"]["Where"];
            window?: components["schemas"]["Window"];
            sources?: components["schemas"]["SourceNames"];
            count?: components["schemas"]["Comparison"];
            days?: components["schemas"]["Comparison"];
            sum?: components["schemas"]["ComparedValue"];
            avg?: components["schemas"]["ComparedValue"];
            min?: components["schemas"]["ComparedValue"];
            max?: components["schemas"]["ComparedValue"];
            first?: components["schemas"]["ComparedValue"];
            last?: components["schemas"]["ComparedValue"];
            distinct?: components["schemas"]["ComparedValue"];
        };
        /** @description Full names of the webhooks destinations of the workspace that are told. One that is added is told of every user by the next sync. */
        DestinationNames: string[];
        /**
         * @description PREPARING until the first sync begins, COMPUTING while one runs, LIVE afterwards, FAILED when the last one failed, DISABLED when it is not enabled.
         * @enum {string}
         */
        ComputationState: "PREPARING" | "COMPUTING" | "LIVE" | "DISABLED" | "FAILED";
        /** @description One computation, with what its destinations were told of it. */
        Sync: {
            name: string;
            /**
             * @description DONE means that every call to the destinations is stored as a delivery. CANCELLED and FAILED ones are made up for by the next.
             * @enum {string}
             */
            state: "RUNNING" | "DONE" | "CANCELLED" | "FAILED";
            /** @description Why it failed; while it runs, which destinations must take some of what waits for them before they are told. */
            reason?: string;
            /** Format: date-time */
            start_time: string;
            /** Format: date-time */
            end_time?: string;
            /** @description Profiles that were looked at; absent until it is computed. */
            evaluated?: number;
            /** @description Users who are members or have a value; absent until it is computed. */
            size?: number;
            /** @description Users who were not found by the sync before. */
            entered?: number;
            /** @description Users whom the sync before found alone. */
            left?: number;
            /** @description Calls that were stored as deliveries, over all destinations. */
            sent: number;
            /** @description Users who are told once an earlier call to them has ended; the next sync tells those who are left when this one ends. */
            held: number;
            /** @description Users who were not told what has changed, over all destinations, as they are suppressed, or filters of the destination drop the call. Each sync looks at them again. */
            left_out: number;
            /** @description Of the calls sent, those that succeeded; counted about once a minute, also when the sync is done. */
            delivered: number;
            /** @description Those that were refused for good. */
            failed: number;
            /** @description Those whose time for retries ended; the next sync sends them again. */
            expired: number;
            /** @description Those that were cancelled before they were sent: a later value replaced them, their destination was disabled, removed or taken off, their user was suppressed or deleted, or their id was merged into another. */
            superseded: number;
        };
        /** @description How many events exceeded the evaluation budget of its conditions, since the router started, or, with a shared database, in the last 7 days. They are not counted, and the next sync fails. Absent when it never happened. */
        UndecidedCount: number;
        /**
         * Format: date-time
         * @description When such an event was last found.
         */
        LastUndecidedTime: string;
        Audience: {
            name: string;
            key: components["schemas"]["Key"];
            display_name: components["schemas"]["Name"];
            definition: components["schemas"]["Definition"];
            /** @description Whether it is computed. */
            enabled: boolean;
            destinations: components["schemas"]["DestinationNames"];
            state: components["schemas"]["ComputationState"];
            /** @description Why the last sync failed. */
            state_reason?: string;
            /** @description How many users were members at the last sync. */
            size?: number;
            /**
             * Format: date-time
             * @description Events that were received before are not counted.
             */
            history_from: string;
            last_sync?: components["schemas"]["Sync"];
            undecided_count?: components["schemas"]["UndecidedCount"];
            last_undecided_time?: components["schemas"]["LastUndecidedTime"];
            /** Format: date-time */
            create_time: string;
            /** Format: date-time */
            update_time: string;
        };
        CreateAudience: {
            /** @description The API chooses `name` and `key`; what is sent of them is ignored. */
            audience: {
                display_name: components["schemas"]["Name"];
                definition: components["schemas"]["Definition"];
                /** @description Whether it is computed; true when absent. */
                enabled?: boolean;
                destinations?: components["schemas"]["DestinationNames"];
            };
        };
        PreviewAudience: {
            definition: components["schemas"]["Definition"];
        };
        AudiencePreview: {
            /** @description How many users would be members. */
            size: number;
            /** @description The ids of some of them. */
            sample: string[];
            /** @description How many profiles were looked at. */
            evaluated: number;
            /** @description How long that took, in milliseconds, other computations that came first included. Each sync computes it once. */
            duration_ms: number;
            /**
             * Format: date-time
             * @description Events that were received before are not counted.
             */
            history_from: string;
        };
        /**
         * @description The explicit list of field paths that the update may change. A path may carry the resource's key in front or leave it out. A listed path without a value sets the field to its empty value, and is refused for `definition`; data without a path changes nothing; without any path nothing changes; an unknown path is refused. The paths may also come as one text, separated by commas.
         * @example {
         *       "paths": [
         *         "audience.enabled"
         *       ]
         *     }
         */
        AudienceMask: {
            paths?: string[];
        };
        UpdateAudience: {
            audience?: {
                display_name?: components["schemas"]["Name"];
                definition?: components["schemas"]["Definition"];
                enabled?: boolean;
                destinations?: components["schemas"]["DestinationNames"];
                update_mask?: components["schemas"]["AudienceMask"];
            };
            update_mask?: components["schemas"]["AudienceMask"];
        };
        AudienceMember: {
            /** @description The id that destinations are told. */
            user_id: string;
            /** @description The number of the sync that found the user first. */
            since_sync: number;
        };
        /** @description A condition, or several. Other audiences and computed traits stand here with their own conditions. */
        ExplainedCondition: {
            /** @enum {string} */
            kind: "all" | "any" | "not" | "trait" | "events";
            holds: boolean;
            /** @description Full name of the audience whose definition this is. */
            member_of?: string;
            /** @description Full name of the computed trait whose value this is. */
            computed_trait?: string;
            /** @description Of `all`, `any` and `not`. */
            conditions?: components["schemas"]["ExplainedCondition"][];
            /** @description Name of the trait. */
            trait?: string;
            where?: components["schemas"]["Where"];
            /**
             * @description What is made of the events, in the words of conditions on events. Of a computed trait, `count` is its kind `counter`, `avg` `average`, `min` `minimum`, `max` `maximum`, `list` `unique_list` and `distinct` `unique_list_count`.
             * @enum {string}
             */
            measure?: "count" | "days" | "sum" | "avg" | "min" | "max" | "first" | "last" | "distinct" | "most_frequent" | "list";
            of?: components["schemas"]["ValuePath"];
            sources?: components["schemas"]["SourceNames"];
            /**
             * Format: date-time
             * @description Of events, those after this time are looked at; absent where there is no earliest.
             */
            after?: string;
            /**
             * Format: date-time
             * @description Of events, those until this time are looked at, and at it.
             */
            until?: string;
            /** @description What the user has; absent when it has none. */
            value?: unknown;
            is?: components["schemas"]["Comparison"];
        };
        ExplainedMember: {
            /** @description The id that destinations are told. */
            user_id: string;
            /** @description Whether the definition holds now. */
            is_member: boolean;
            is_member_at_last_sync: boolean;
            /**
             * Format: date-time
             * @description When `is_member` changes as time passes, if no more events come. Absent when it does not, or when there is too much to look at.
             */
            change_time?: string;
            explanation: components["schemas"]["ExplainedCondition"];
        };
        CountedEvents: {
            where: components["schemas"]["Where"];
            window?: components["schemas"]["Window"];
            sources?: components["schemas"]["SourceNames"];
        };
        CountedValues: {
            where: components["schemas"]["Where"];
            of: components["schemas"]["ValuePath"];
            window?: components["schemas"]["Window"];
            sources?: components["schemas"]["SourceNames"];
        };
        /** @description Exactly one of ten kinds. Values that are no strings, numbers or booleans are not counted; `sum`, `average`, `minimum` and `maximum` are of numbers alone. A `unique_list` has the values in the order of their JSON, and ends where the next one would make its JSON larger than 8,192 bytes. A user without such an event has no value. */
        TraitDefinition: {
            counter?: components["schemas"]["CountedEvents"];
            sum?: components["schemas"]["CountedValues"];
            average?: components["schemas"]["CountedValues"];
            minimum?: components["schemas"]["CountedValues"];
            maximum?: components["schemas"]["CountedValues"];
            first?: components["schemas"]["CountedValues"];
            last?: components["schemas"]["CountedValues"];
            most_frequent?: components["schemas"]["CountedValues"];
            unique_list?: components["schemas"]["CountedValues"];
            unique_list_count?: components["schemas"]["CountedValues"];
        };
        ComputedTrait: {
            name: string;
            key: components["schemas"]["Key"];
            display_name: components["schemas"]["Name"];
            definition: components["schemas"]["TraitDefinition"];
            /** @description Whether it is computed. */
            enabled: boolean;
            destinations: components["schemas"]["DestinationNames"];
            state: components["schemas"]["ComputationState"];
            /** @description Why the last sync failed. */
            state_reason?: string;
            /** @description How many users had a value at the last sync. */
            size?: number;
            /**
             * Format: date-time
             * @description Events that were received before are not counted.
             */
            history_from: string;
            last_sync?: components["schemas"]["Sync"];
            undecided_count?: components["schemas"]["UndecidedCount"];
            last_undecided_time?: components["schemas"]["LastUndecidedTime"];
            /** Format: date-time */
            create_time: string;
            /** Format: date-time */
            update_time: string;
        };
        CreateComputedTrait: {
            /** @description The API chooses `name` and `key`; what is sent of them is ignored. */
            computed_trait: {
                display_name: components["schemas"]["Name"];
                definition: components["schemas"]["TraitDefinition"];
                /** @description Whether it is computed; true when absent. */
                enabled?: boolean;
                destinations?: components["schemas"]["DestinationNames"];
            };
        };
        /**
         * @description The explicit list of field paths that the update may change. A path may carry the resource's key in front or leave it out. A listed path without a value sets the field to its empty value, and is refused for `definition`; data without a path changes nothing; without any path nothing changes; an unknown path is refused. The paths may also come as one text, separated by commas.
         * @example {
         *       "paths": [
         *         "computed_trait.enabled"
         *       ]
         *     }
         */
        ComputedTraitMask: {
            paths?: string[];
        };
        UpdateComputedTrait: {
            computed_trait?: {
                display_name?: components["schemas"]["Name"];
                definition?: components["schemas"]["TraitDefinition"];
                enabled?: boolean;
                destinations?: components["schemas"]["DestinationNames"];
                update_mask?: components["schemas"]["ComputedTraitMask"];
            };
            update_mask?: components["schemas"]["ComputedTraitMask"];
        };
        ComputedTraitValue: {
            /** @description The id that destinations are told. */
            user_id: string;
            /** @description A string, a number, a boolean or a list. */
            value: unknown;
            /** @description The number of the sync that found this value first. */
            since_sync: number;
        };
        Profile: {
            /** @description The id that destinations are told. */
            user_id: string;
            /** @description All ids of the user. */
            user_ids: string[];
            anonymous_ids: string[];
            /** @description What identify calls gave last. */
            traits: {
                [key: string]: unknown;
            };
            /** @description Those whose last sync found the user. */
            audiences: {
                name: string;
                key: components["schemas"]["Key"];
                /** @description The number of the sync that found the user first. */
                since_sync: number;
            }[];
            /** @description Those whose last sync found a value. */
            computed_traits: {
                name: string;
                key: components["schemas"]["Key"];
                /** @description A string, a number, a boolean or a list. */
                value: unknown;
            }[];
        };
        Node: {
            /**
             * @description Its host name and process id.
             * @example nodes/router-a:4711
             */
            name: string;
            /** @example 0.1.0 */
            version: string;
            /** @description Grows each time that a router starts, or comes back after it was not heard of. */
            epoch: number;
            /**
             * Format: date-time
             * @description When this epoch began.
             */
            start_time: string;
            /** Format: date-time */
            last_heard_time: string;
            /** @description Deliveries that it is trying. */
            delivery_count: number;
        };
        Nodes: {
            nodes: components["schemas"]["Node"][];
        };
        Setting: {
            /**
             * @description The flag without its hyphens.
             * @example settings/rate-limit
             */
            name: string;
            /**
             * @description The variable of the environment that does the same.
             * @example WAYBILL_RATE_LIMIT
             */
            variable: string;
            /**
             * @description As it is written; absent where nothing is set, and for secrets.
             * @example 200
             */
            value?: string;
            /** @description Whether it has a value. */
            set: boolean;
            /** @description Whether the value is the default. */
            default: boolean;
            secret: boolean;
        };
        Settings: {
            /**
             * @description The router that answers.
             * @example nodes/router-a:4711
             */
            node: string;
            settings: components["schemas"]["Setting"][];
        };
        UnknownKey: {
            /** @description At most the first 4 characters, and at most half, of the key. Characters that no key has are shown as `?`. Keys with the same prefix are counted together. */
            prefix: string;
            event_count: number;
            /** Format: date-time */
            first_time: string;
            /** Format: date-time */
            last_time: string;
        };
        UnknownKeys: {
            /**
             * Format: date-time
             * @description When counting began.
             */
            since: string;
            /** @description Events of all unknown keys. */
            event_count: number;
            unknown_keys: components["schemas"]["UnknownKey"][];
        };
        /** @description Addresses of pictures; empty where there are none. */
        CatalogLogos: {
            logo: string;
            mark: string;
        };
        CatalogSource: {
            /** @example catalog/sources/javascript */
            name: string;
            display_name: string;
            description: string;
            categories: string[];
            logos: components["schemas"]["CatalogLogos"];
            /** @enum {string} */
            type: "event" | "object";
        };
        /** @enum {string} */
        CatalogSettingType: "STRING" | "PASSWORD" | "COLOR" | "SELECT" | "BOOLEAN" | "NUMBER" | "LIST" | "MAP" | "MIXED" | "MULTI_LINE_STRING";
        /** @description One setting of a kind of destination; `settings` are those within each item of a mixed one. */
        CatalogSetting: {
            name: string;
            display_name: string;
            type: components["schemas"]["CatalogSettingType"];
            description: string;
            required: boolean;
            deprecated: boolean;
            settings: components["schemas"]["CatalogSetting"][];
            number_validators?: {
                min: number;
                max: number;
            };
        };
        CatalogDestination: {
            /** @example catalog/destinations/webhooks */
            name: string;
            display_name: string;
            description: string;
            /** @enum {string} */
            type: "STREAMING";
            /** @enum {string} */
            status: "PUBLIC" | "PUBLIC_BETA" | "PRIVATE";
            website: string;
            logos: components["schemas"]["CatalogLogos"];
            categories: {
                primary: string;
                secondary: string;
                additional: string[];
            };
            components: {
                /** @enum {string} */
                type: "CLOUD" | "WEB" | "IOS" | "ANDROID" | "SERVER";
            }[];
            platforms: {
                browser: boolean;
                server: boolean;
                mobile: boolean;
            };
            methods: {
                alias: boolean;
                group: boolean;
                identify: boolean;
                page_view: boolean;
                track: boolean;
            };
            browserUnbundlingSupported: boolean;
            browserUnbundlingPublic: boolean;
            previous_names: string[];
            settings: components["schemas"]["CatalogSetting"][];
        };
        Properties: {
            [key: string]: unknown;
        };
        /** @description Where and how the call was made, as the sender supplied it. */
        Context: {
            [key: string]: unknown;
        };
        /** @description Which destinations the sender switched on or off. */
        Integrations: {
            [key: string]: unknown;
        };
        /**
         * @description ISO 8601 in UTC, with milliseconds.
         * @example 2026-11-20T23:10:38.958Z
         */
        Timestamp: string;
        /** @description A page was viewed. */
        PageEvent: {
            /** @constant */
            version: 1;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "page";
            /** @description `path`, `referrer`, `title` and `url` are strings where the sender gave them. */
            properties: components["schemas"]["Properties"];
            name?: string;
            category?: string;
            messageId: string;
            userId?: string;
            anonymousId?: string;
            context: components["schemas"]["Context"];
            integrations?: components["schemas"]["Integrations"];
            timestamp: components["schemas"]["Timestamp"];
            originalTimestamp?: string;
            sentAt?: string;
            receivedAt: components["schemas"]["Timestamp"];
        };
        /** @description A screen of an app was viewed. */
        ScreenEvent: {
            /** @constant */
            version: 1;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "screen";
            name?: string;
            category?: string;
            properties?: components["schemas"]["Properties"];
            messageId: string;
            userId?: string;
            anonymousId?: string;
            context: components["schemas"]["Context"];
            integrations?: components["schemas"]["Integrations"];
            timestamp: components["schemas"]["Timestamp"];
            originalTimestamp?: string;
            sentAt?: string;
            receivedAt: components["schemas"]["Timestamp"];
        };
        Traits: {
            [key: string]: unknown;
        };
        /** @description Who a user is: traits of that user. Audience membership arrives in this form too. */
        IdentifyEvent: {
            /** @constant */
            version: 1;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "identify";
            traits: components["schemas"]["Traits"];
            messageId: string;
            userId?: string;
            anonymousId?: string;
            context: components["schemas"]["Context"];
            integrations?: components["schemas"]["Integrations"];
            timestamp: components["schemas"]["Timestamp"];
            originalTimestamp?: string;
            sentAt?: string;
            receivedAt: components["schemas"]["Timestamp"];
        };
        /** @description A user did something. */
        TrackEvent: {
            /** @constant */
            version: 1;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "track";
            event: string;
            properties: components["schemas"]["Properties"];
            messageId: string;
            userId?: string;
            anonymousId?: string;
            context: components["schemas"]["Context"];
            integrations?: components["schemas"]["Integrations"];
            timestamp: components["schemas"]["Timestamp"];
            originalTimestamp?: string;
            sentAt?: string;
            receivedAt: components["schemas"]["Timestamp"];
        };
        /** @description Two identities of one user. Two keys of its body hold a space. */
        AliasEvent: {
            /** @constant */
            version: 1;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "alias";
            "Previous ID": string;
            "User ID": string;
            previousId?: string;
            messageId: string;
            userId?: string;
            anonymousId?: string;
            context: components["schemas"]["Context"];
            integrations?: components["schemas"]["Integrations"];
            timestamp: components["schemas"]["Timestamp"];
            originalTimestamp?: string;
            sentAt?: string;
            receivedAt: components["schemas"]["Timestamp"];
        };
        /** @description A user belongs to a group. */
        GroupEvent: {
            /** @constant */
            version: 1;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "group";
            groupId: string;
            traits: components["schemas"]["Traits"];
            messageId: string;
            userId?: string;
            anonymousId?: string;
            context: components["schemas"]["Context"];
            integrations?: components["schemas"]["Integrations"];
            timestamp: components["schemas"]["Timestamp"];
            originalTimestamp?: string;
            sentAt?: string;
            receivedAt: components["schemas"]["Timestamp"];
        };
        /** @description A deletion request names this user: start your own automation. */
        DeleteEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "delete";
            messageId?: string;
            userId: string;
            timestamp: components["schemas"]["Timestamp"];
        };
        /** @description A destination keeps failing: its events wait, and one at a time probes whether it works again. */
        DestinationParkedNotice: {
            /** @constant */
            version: 1;
            /** @constant */
            type: "track";
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "destination.parked";
            properties: {
                /** @description Full name of the destination. */
                destination: string;
                displayName: string;
                /** @description Since when it is parked. */
                since: components["schemas"]["Timestamp"];
            };
            messageId: string;
            anonymousId?: string;
            context: components["schemas"]["Context"];
            integrations?: components["schemas"]["Integrations"];
            timestamp: components["schemas"]["Timestamp"];
            receivedAt: components["schemas"]["Timestamp"];
        };
        /** @description A destination that was parked has worked again for a while. */
        DestinationRecoveredNotice: {
            /** @constant */
            version: 1;
            /** @constant */
            type: "track";
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "destination.recovered";
            properties: {
                /** @description Full name of the destination. */
                destination: string;
                displayName: string;
                /** @description Since when it was parked. */
                parkedSince: components["schemas"]["Timestamp"];
                /** @description Since when it works again. */
                since: components["schemas"]["Timestamp"];
            };
            messageId: string;
            anonymousId?: string;
            context: components["schemas"]["Context"];
            integrations?: components["schemas"]["Integrations"];
            timestamp: components["schemas"]["Timestamp"];
            receivedAt: components["schemas"]["Timestamp"];
        };
        /** @description Deliveries of a destination ended within an hour without success, and are not tried again. */
        DeliveriesGivenUpNotice: {
            /** @constant */
            version: 1;
            /** @constant */
            type: "track";
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "deliveries.given_up";
            properties: {
                /** @description Full name of the destination. */
                destination: string;
                displayName: string;
                /** @description Begin of the hour. */
                from: components["schemas"]["Timestamp"];
                /** @description End of the hour. */
                to: components["schemas"]["Timestamp"];
                /** @description Deliveries that every webhook refused for good. */
                failed: number;
                /** @description Deliveries that failed until four hours were over. */
                expired: number;
            };
            messageId: string;
            anonymousId?: string;
            context: components["schemas"]["Context"];
            integrations?: components["schemas"]["Integrations"];
            timestamp: components["schemas"]["Timestamp"];
            receivedAt: components["schemas"]["Timestamp"];
        };
        /** @description The secret that was replaced is about to become invalid: receivers need the new one by then. */
        SecretExpiringNotice: {
            /** @constant */
            version: 1;
            /** @constant */
            type: "track";
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "secret.expiring";
            properties: {
                /** @description Full name of the destination. */
                destination: string;
                displayName: string;
                /** @description When the previous secret becomes invalid. */
                expires: components["schemas"]["Timestamp"];
            };
            messageId: string;
            anonymousId?: string;
            context: components["schemas"]["Context"];
            integrations?: components["schemas"]["Integrations"];
            timestamp: components["schemas"]["Timestamp"];
            receivedAt: components["schemas"]["Timestamp"];
        };
        /** @description Runs of an audience fail: its destinations are not told who enters and leaves. */
        AudienceFailedNotice: {
            /** @constant */
            version: 1;
            /** @constant */
            type: "track";
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "audience.failed";
            properties: {
                /** @description Full name of the audience. */
                audience: string;
                displayName: string;
                /** @description Since when they fail. */
                since: components["schemas"]["Timestamp"];
                reason: string;
            };
            messageId: string;
            anonymousId?: string;
            context: components["schemas"]["Context"];
            integrations?: components["schemas"]["Integrations"];
            timestamp: components["schemas"]["Timestamp"];
            receivedAt: components["schemas"]["Timestamp"];
        };
        Webhook: {
            /** @description A full http or https URL without credentials. */
            hook: string;
            /** @description Sent with every request to this URL. Names that Waybill or HTTP itself sets are refused. */
            headers?: {
                key: string;
                value: string;
            }[] | {
                [key: string]: string;
            };
        };
        /**
         * @description How requests are signed: with `X-Signature` (`x-signature`, or empty), with the headers of Standard Webhooks (`standard-webhooks`), or `both`. For Standard Webhooks a `sharedSecret` of the form `whsec_<base64>` (24 to 64 bytes) signs with HMAC-SHA-256, one of the form `whsk_<base64>` with Ed25519 (only with `standard-webhooks`; receivers verify with `public_keys`), and any other text with HMAC-SHA-256, keyed by its bytes in UTF-8.
         * @enum {string}
         */
        SignatureSetting: "" | "x-signature" | "standard-webhooks" | "both";
        /**
         * @description In which order events are delivered: as they come (`none`, or empty), or those of each `user` in the order in which they were accepted. With `user`, an event waits until the earlier ones of its user are delivered, failed or expired; other users are not affected. A user is a `userId`, else an `anonymousId`. It applies to events that are accepted after it was set.
         * @enum {string}
         */
        OrderingSetting: "" | "none" | "user";
    };
    responses: {
        /** @description Invalid JSON, or a field holds an invalid value. Code 3. */
        InvalidArgument: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Status"];
            };
        };
        /** @description The access token is missing or invalid. Code 16. */
        Unauthenticated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Status"];
            };
        };
        /** @description Too many requests of this token in this minute, or too many failed authentications from this address. Code 8. */
        ResourceExhausted: {
            headers: {
                /** @description Seconds until requests are accepted again. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Status"];
            };
        };
        /** @description An error while processing the request. Code 13. */
        Internal: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Status"];
            };
        };
        /** @description The API is starting, draining, or cannot write to its store. Code 14. */
        Unavailable: {
            headers: {
                /** @description In how many whole seconds to try again; while draining it is missing. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Status"];
            };
        };
        /** @description The token has no write scope. Code 7. */
        PermissionDenied: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Status"];
            };
        };
        /** @description No such resource in this workspace. Code 5. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Status"];
            };
        };
        /** @description The resource is no longer in the state that `If-Match` names. Nothing was changed. Code 6. */
        Changed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Status"];
            };
        };
        /** @description The name already exists. Code 6. */
        AlreadyExists: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Status"];
            };
        };
        /** @description The resource is no longer in the state that `If-Match` names, or another resource has a key that must be unique. Nothing was changed. Code 6. */
        ChangedOrTaken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Status"];
            };
        };
        /** @description This router keeps no log of deliveries. Code 12. */
        NoLog: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Status"];
            };
        };
        /** @description A page of entries. A token belongs to the filter that it was given for. */
        Page: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    audit_entries: components["schemas"]["AuditEntry"][];
                    next_page_token: components["schemas"]["NextPageToken"];
                };
            };
        };
        /** @description An audience or computed trait of the workspace has or had this key. Code 6. */
        KeyTaken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Status"];
            };
        };
        /** @description This router keeps no profiles. Code 12. */
        NoProfiles: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Status"];
            };
        };
        /** @description The resource is no longer in the state that `If-Match` names, or an audience is defined by it. Nothing was changed. Code 6. */
        ChangedOrUsed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Status"];
            };
        };
        /** @description The token is bound to workspaces, and these entries belong to none. Code 7. */
        Bound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Status"];
            };
        };
        /** @description The token is bound to workspaces, and routers belong to none. Code 7. */
        "Bound-2": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Status"];
            };
        };
        /** @description The token is bound to workspaces, and settings belong to none. Code 7. */
        "Bound-3": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Status"];
            };
        };
        /** @description The token has no write scope, or is bound to workspaces. Code 7. */
        NotAll: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Status"];
            };
        };
        /** @description The storage is a database, which is backed up by its own tools. Code 12. */
        OtherTools: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Status"];
            };
        };
        /** @description The token is bound to workspaces, and unknown keys belong to none. Code 7. */
        "Bound-4": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Status"];
            };
        };
        /** @description Any 2xx within 5 seconds. The event counts as processed, and no other webhook gets it again. */
        Processed: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Not tried again at this webhook. 408, 425 and 429 are tried again. */
        Permanent: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Tried again for up to four hours, as are timeouts. */
        Temporary: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: {
        /** @description How many items a page holds. 0 or absent takes the default, more than 1000 is clamped to 1000. */
        page_size: number;
        /** @description The `next_page_token` of the page before; empty or absent asks for the first page. */
        page_token: string;
        /** @example 10000000000001 */
        access_token: string;
        /** @description The `ETag` of the state that this change was decided on. When the resource has another by now, nothing is changed, and the answer is a 409. Without it, or with `*`, any state will do. */
        if_match: string;
        /** @example main */
        workspace: components["schemas"]["Slug"];
        /** @example js */
        source: components["schemas"]["Slug"];
        /** @description The first hour is the one that this time lies in; 24 hours before `to` when absent. */
        from: string;
        /** @description The last hour is the one that this time lies in, or ends with; now when absent. At most 31 days after `from`. */
        to: string;
        /** @example webhooks */
        destination: components["schemas"]["Slug"];
        /** @example 17 */
        delivery: string;
        /** @example 3 */
        replay: string;
        /** @description The names, separated by commas, for clients that send no body with a GET; a body that has names comes first. */
        names: string;
        /**
         * @description `successes`, `failures`, `expirations`, `cancellations`, `retried_<status>` or `retried_<outcome>`, and `time_to_success_p50`, `_p95` or `_p99`.
         * @example successes
         */
        metric: string;
        /** @example rs_1zTcXk9FqLwR3bVn5MjHs7PdYgA */
        tracking_plan: string;
        /**
         * @description The workspace of the plan; no source of another can be connected to it.
         * @example main
         */
        source_workspace: components["schemas"]["Slug"];
        /** @example df_0123456789abcdefghijklmnopq */
        filter: string;
        /**
         * @description The level that names of filters have between their destination and their id.
         * @example 0123456789abcdef01234567
         */
        config: string;
        /** @example rg_0123456789abcdefghijklmnopq */
        regulation: string;
        /** @example aud_0123456789abcdefghijklmnopq */
        audience: string;
        /**
         * @description A `userId`, percent-encoded.
         * @example user-1
         */
        user: string;
        /** @example 1 */
        sync: string;
        /** @example tra_0123456789abcdefghijklmnopq */
        computed_trait: string;
        /** @example javascript */
        source_slug: string;
        /** @example webhooks */
        destination_slug: string;
        /** @description The service and its version. */
        UserAgent: string;
        /** @description Present when the destination has a shared secret: lower-case hex of HMAC-SHA-1, keyed by the secret, over the bytes of this body. */
        Signature: string;
        /** @description Present beside `X-Signature` while the secret is rotated: the same, keyed by the new secret. `X-Signature` is keyed by the previous one until the rotation ends. */
        SignatureNext: string;
        /** @description Of Standard Webhooks, as are the next two; present when the destination's `signature` says so. The same for all attempts of an event. */
        WebhookId: string;
        /** @description When the attempt was made, in seconds since 1970. */
        WebhookTimestamp: string;
        /** @description Signatures over `<webhook-id>.<webhook-timestamp>.<body>`, separated by spaces: `v1,<base64>` with HMAC-SHA-256, `v1a,<base64>` with Ed25519. Two while the secret is rotated, the previous secret's first. */
        WebhookSignature: string;
        /** @description Of W3C Trace Context: the attempt, in the trace of the event. Present for sampled events when the destination's `traceContext` is true. */
        Traceparent: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAccessTokens: {
        parameters: {
            query?: {
                /** @description How many items a page holds. 0 or absent takes the default, more than 1000 is clamped to 1000. */
                page_size?: components["parameters"]["page_size"];
                /** @description The `next_page_token` of the page before; empty or absent asks for the first page. */
                page_token?: components["parameters"]["page_token"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of access tokens, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        access_tokens: components["schemas"]["AccessToken"][];
                        next_page_token: components["schemas"]["NextPageToken"];
                    };
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createAccessToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "access_token": {
                 *         "description": "CI",
                 *         "scopes": "workspace:read",
                 *         "workspace_names": [
                 *           "workspaces/main"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateAccessToken"];
            };
        };
        responses: {
            /** @description The access token as it was made. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessToken"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAccessToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 10000000000001 */
                access_token: components["parameters"]["access_token"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The access token. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessToken"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteAccessToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the state that this change was decided on. When the resource has another by now, nothing is changed, and the answer is a 409. Without it, or with `*`, any state will do. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                /** @example 10000000000001 */
                access_token: components["parameters"]["access_token"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Changed"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateAccessToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the state that this change was decided on. When the resource has another by now, nothing is changed, and the answer is a 409. Without it, or with `*`, any state will do. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                /** @example 10000000000001 */
                access_token: components["parameters"]["access_token"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "access_token": {
                 *         "description": "CI of the shop"
                 *       },
                 *       "update_mask": {
                 *         "paths": [
                 *           "access_token.description"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateAccessToken"];
            };
        };
        responses: {
            /** @description The access token as it now stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessToken"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Changed"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWorkspaces: {
        parameters: {
            query?: {
                /** @description How many items a page holds. 0 or absent takes the default, more than 1000 is clamped to 1000. */
                page_size?: components["parameters"]["page_size"];
                /** @description The `next_page_token` of the page before; empty or absent asks for the first page. */
                page_token?: components["parameters"]["page_token"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of workspaces, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        workspaces: components["schemas"]["Workspace"][];
                        next_page_token: components["schemas"]["NextPageToken"];
                    };
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "workspace": {
                 *         "name": "workspaces/shop",
                 *         "display_name": "Shop"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateWorkspace"];
            };
        };
        responses: {
            /** @description The workspace as it was made. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            409: components["responses"]["AlreadyExists"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workspace. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWorkspace: {
        parameters: {
            query?: {
                /** @description A workspace that still has sources is removed only when this is true. */
                force?: boolean;
            };
            header?: {
                /** @description The `ETag` of the state that this change was decided on. When the resource has another by now, nothing is changed, and the answer is a 409. Without it, or with `*`, any state will do. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Changed"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the state that this change was decided on. When the resource has another by now, nothing is changed, and the answer is a 409. Without it, or with `*`, any state will do. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "workspace": {
                 *         "display_name": "Main"
                 *       },
                 *       "update_mask": {
                 *         "paths": [
                 *           "workspace.display_name"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateWorkspace"];
            };
        };
        responses: {
            /** @description The workspace as it now stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Changed"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getQuota: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The quota; without limits until it is first changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quota"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateQuota: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the state that this change was decided on. When the resource has another by now, nothing is changed, and the answer is a 409. Without it, or with `*`, any state will do. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "quota": {
                 *         "events_per_second": 100
                 *       },
                 *       "update_mask": {
                 *         "paths": [
                 *           "quota.events_per_second"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateQuota"];
            };
        };
        responses: {
            /** @description The quota as it now stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quota"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Changed"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSources: {
        parameters: {
            query?: {
                /** @description How many items a page holds. 0 or absent takes the default, more than 1000 is clamped to 1000. */
                page_size?: components["parameters"]["page_size"];
                /** @description The `next_page_token` of the page before; empty or absent asks for the first page. */
                page_token?: components["parameters"]["page_token"];
            };
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sources, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sources: components["schemas"]["Source"][];
                        next_page_token: components["schemas"]["NextPageToken"];
                    };
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source": {
                 *         "name": "workspaces/main/sources/js",
                 *         "catalog_name": "catalog/sources/javascript"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateSource"];
            };
        };
        responses: {
            /** @description The source as it was made. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Source"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["AlreadyExists"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The source. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Source"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSource: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the state that this change was decided on. When the resource has another by now, nothing is changed, and the answer is a 409. Without it, or with `*`, any state will do. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Changed"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateSource: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the state that this change was decided on. When the resource has another by now, nothing is changed, and the answer is a 409. Without it, or with `*`, any state will do. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "source": {
                 *         "labels": {
                 *           "team": "web"
                 *         }
                 *       },
                 *       "update_mask": {
                 *         "paths": [
                 *           "source.labels"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateSource"];
            };
        };
        responses: {
            /** @description The source as it now stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Source"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ChangedOrTaken"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAcceptedEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The count, and the last of the events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedEvents"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    streamAcceptedEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The messages, until one side ends the stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["LiveEvents"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    countAcceptedEvents: {
        parameters: {
            query?: {
                /** @description The first hour is the one that this time lies in; 24 hours before `to` when absent. */
                from?: components["parameters"]["from"];
                /** @description The last hour is the one that this time lies in, or ends with; now when absent. At most 31 days after `from`. */
                to?: components["parameters"]["to"];
            };
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedCounts"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoLog"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDroppedEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All counts, and the last of the events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DroppedEvents"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listViolations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All counts, and the last of the violations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Violations"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSchemaConfig: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schema configuration; its defaults until it is first changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SchemaConfig"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateSchemaConfig: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the state that this change was decided on. When the resource has another by now, nothing is changed, and the answer is a 409. Without it, or with `*`, any state will do. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "schema_config": {
                 *         "common_track_event_on_violations": "BLOCK"
                 *       },
                 *       "update_mask": {
                 *         "paths": [
                 *           "schema_config.common_track_event_on_violations"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateSchemaConfig"];
            };
        };
        responses: {
            /** @description The schema configuration as it now stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SchemaConfig"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Changed"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDestinations: {
        parameters: {
            query?: {
                /** @description How many items a page holds. 0 or absent takes the default, more than 1000 is clamped to 1000. */
                page_size?: components["parameters"]["page_size"];
                /** @description The `next_page_token` of the page before; empty or absent asks for the first page. */
                page_token?: components["parameters"]["page_token"];
            };
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of destinations, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        destinations: components["schemas"]["Destination"][];
                        next_page_token: components["schemas"]["NextPageToken"];
                    };
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createDestination: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "destination": {
                 *         "name": "workspaces/main/sources/js/destinations/webhooks",
                 *         "enabled": true,
                 *         "connection_mode": "CLOUD",
                 *         "config": [
                 *           {
                 *             "name": "hooks",
                 *             "value": [
                 *               {
                 *                 "hook": "https://example.com/events",
                 *                 "headers": [
                 *                   {
                 *                     "key": "X-Team",
                 *                     "value": "web"
                 *                   }
                 *                 ]
                 *               }
                 *             ]
                 *           },
                 *           {
                 *             "name": "sharedSecret",
                 *             "value": "a-long-secret"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateDestination"];
            };
        };
        responses: {
            /** @description The destination as it was made. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Destination"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["AlreadyExists"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDestination: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The destination. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Destination"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteDestination: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the state that this change was decided on. When the resource has another by now, nothing is changed, and the answer is a 409. Without it, or with `*`, any state will do. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Changed"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateDestination: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the state that this change was decided on. When the resource has another by now, nothing is changed, and the answer is a 409. Without it, or with `*`, any state will do. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "destination": {
                 *         "enabled": false
                 *       },
                 *       "update_mask": {
                 *         "paths": [
                 *           "destination.enabled"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateDestination"];
            };
        };
        responses: {
            /** @description The destination as it now stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Destination"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Changed"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "overlap_seconds": 86400
                 *     }
                 */
                "application/json": components["schemas"]["RotateSecret"];
            };
        };
        responses: {
            /** @description The destination with its rotation, and the secret if it was made. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedSecret"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelSecretRotation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The destination as it now stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Destination"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    finishSecretRotation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The destination as it now stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Destination"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description How many items a page holds. 0 or absent takes the default, more than 1000 is clamped to 1000. */
                page_size?: components["parameters"]["page_size"];
                /** @description The `next_page_token` of the page before; empty or absent asks for the first page. */
                page_token?: components["parameters"]["page_token"];
                /** @description Only those in this state. */
                state?: components["schemas"]["DeliveryState"];
                /** @description Only events of this type. */
                type?: components["schemas"]["EventType"];
                /** @description Only tracked events of this name. */
                event?: string;
                /** @description Only events of this user. */
                user_id?: string;
                /** @description Only what was accepted then or later. */
                from?: string;
                /** @description Only what was accepted before. */
                to?: string;
            };
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. A token belongs to the filter that it was given for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deliveries: components["schemas"]["Delivery"][];
                        next_page_token: components["schemas"]["NextPageToken"];
                    };
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoLog"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
                /** @example 17 */
                delivery: components["parameters"]["delivery"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryStory"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoLog"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
                /** @example 17 */
                delivery: components["parameters"]["delivery"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, which is pending again, or being tried already. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryStory"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoLog"];
            503: components["responses"]["Unavailable"];
        };
    };
    listReplays: {
        parameters: {
            query?: {
                /** @description How many items a page holds. 0 or absent takes the default, more than 1000 is clamped to 1000. */
                page_size?: components["parameters"]["page_size"];
                /** @description The `next_page_token` of the page before; empty or absent asks for the first page. */
                page_token?: components["parameters"]["page_token"];
            };
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of replays, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        replays: components["schemas"]["Replay"][];
                        next_page_token: components["schemas"]["NextPageToken"];
                    };
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoLog"];
            503: components["responses"]["Unavailable"];
        };
    };
    createReplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "filter": {
                 *         "state": "failed"
                 *       },
                 *       "per_second": 50
                 *     }
                 */
                "application/json": components["schemas"]["CreateReplay"];
            };
        };
        responses: {
            /** @description The replay as it was made; it goes on by itself. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replay"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoLog"];
            503: components["responses"]["Unavailable"];
        };
    };
    getReplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
                /** @example 3 */
                replay: components["parameters"]["replay"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The replay. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replay"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoLog"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelReplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
                /** @example 3 */
                replay: components["parameters"]["replay"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The replay as it now stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replay"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoLog"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDestinationQueue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The queue. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DestinationQueue"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoLog"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeliveryMetrics: {
        parameters: {
            query?: {
                /** @description The first hour is the one that this time lies in; 24 hours before `to` when absent. */
                from?: components["parameters"]["from"];
                /** @description The last hour is the one that this time lies in, or ends with; now when absent. At most 31 days after `from`. */
                to?: components["parameters"]["to"];
            };
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A series for each metric that has something to tell; the ends and the percentiles always. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        metrics: components["schemas"]["DeliveryMetric"][];
                    };
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoLog"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDeliveryMetricsSummary: {
        parameters: {
            query?: {
                /** @description The first hour is the one that this time lies in; 24 hours before `to` when absent. */
                from?: components["parameters"]["from"];
                /** @description The last hour is the one that this time lies in, or ends with; now when absent. At most 31 days after `from`. */
                to?: components["parameters"]["to"];
            };
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The summary. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryMetricsSummary"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoLog"];
            503: components["responses"]["Unavailable"];
        };
    };
    batchGetDeliveryMetrics: {
        parameters: {
            query?: {
                /** @description The names, separated by commas, for clients that send no body with a GET; a body that has names comes first. */
                names?: components["parameters"]["names"];
                /** @description The first hour is the one that this time lies in; 24 hours before `to` when absent. */
                from?: components["parameters"]["from"];
                /** @description The last hour is the one that this time lies in, or ends with; now when absent. At most 31 days after `from`. */
                to?: components["parameters"]["to"];
            };
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "names": [
                 *         "workspaces/main/sources/js/destinations/webhooks/metrics/successes",
                 *         "workspaces/main/sources/js/destinations/webhooks/metrics/retried_502"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BatchNames"];
            };
        };
        responses: {
            /** @description The series, in the order of the names. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        metrics: components["schemas"]["DeliveryMetric"][];
                    };
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoLog"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDeliveryMetric: {
        parameters: {
            query?: {
                /** @description The first hour is the one that this time lies in; 24 hours before `to` when absent. */
                from?: components["parameters"]["from"];
                /** @description The last hour is the one that this time lies in, or ends with; now when absent. At most 31 days after `from`. */
                to?: components["parameters"]["to"];
            };
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
                /**
                 * @description `successes`, `failures`, `expirations`, `cancellations`, `retried_<status>` or `retried_<outcome>`, and `time_to_success_p50`, `_p95` or `_p99`.
                 * @example successes
                 */
                metric: components["parameters"]["metric"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The series. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryMetric"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoLog"];
            503: components["responses"]["Unavailable"];
        };
    };
    batchGetDeliveryMetricsSummaries: {
        parameters: {
            query?: {
                /** @description The names, separated by commas, for clients that send no body with a GET; a body that has names comes first. */
                names?: components["parameters"]["names"];
                /** @description The first hour is the one that this time lies in; 24 hours before `to` when absent. */
                from?: components["parameters"]["from"];
                /** @description The last hour is the one that this time lies in, or ends with; now when absent. At most 31 days after `from`. */
                to?: components["parameters"]["to"];
            };
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "names": [
                 *         "workspaces/main/sources/js/destinations/webhooks"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BatchNames"];
            };
        };
        responses: {
            /** @description The summaries, in the order of the names. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        summaries: components["schemas"]["DeliveryMetricsSummary"][];
                    };
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoLog"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOverview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The overview. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoLog"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWorkspaceDestinations: {
        parameters: {
            query?: {
                /** @description How many items a page holds. 0 or absent takes the default, more than 1000 is clamped to 1000. */
                page_size?: components["parameters"]["page_size"];
                /** @description The `next_page_token` of the page before; empty or absent asks for the first page. */
                page_token?: components["parameters"]["page_token"];
            };
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of destinations, source by source, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        destinations: components["schemas"]["Destination"][];
                        next_page_token: components["schemas"]["NextPageToken"];
                    };
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWorkspaceFilters: {
        parameters: {
            query?: {
                /** @description How many items a page holds. 0 or absent takes the default, more than 1000 is clamped to 1000. */
                page_size?: components["parameters"]["page_size"];
                /** @description The `next_page_token` of the page before; empty or absent asks for the first page. */
                page_token?: components["parameters"]["page_token"];
            };
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of filters, destination by destination, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        filters: components["schemas"]["Filter"][];
                        next_page_token: components["schemas"]["NextPageToken"];
                    };
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSchemaConfigs: {
        parameters: {
            query?: {
                /** @description How many items a page holds. 0 or absent takes the default, more than 1000 is clamped to 1000. */
                page_size?: components["parameters"]["page_size"];
                /** @description The `next_page_token` of the page before; empty or absent asks for the first page. */
                page_token?: components["parameters"]["page_token"];
            };
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of schema configurations, oldest source first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        schema_configs: components["schemas"]["SchemaConfig"][];
                        next_page_token: components["schemas"]["NextPageToken"];
                    };
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTrackingPlans: {
        parameters: {
            query?: {
                /** @description How many items a page holds. 0 or absent takes the default, more than 1000 is clamped to 1000. */
                page_size?: components["parameters"]["page_size"];
                /** @description The `next_page_token` of the page before; empty or absent asks for the first page. */
                page_token?: components["parameters"]["page_token"];
            };
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tracking plans, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tracking_plans: components["schemas"]["TrackingPlan"][];
                        next_page_token: components["schemas"]["NextPageToken"];
                    };
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createTrackingPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tracking_plan": {
                 *         "display_name": "Shop",
                 *         "rules": {
                 *           "events": [
                 *             {
                 *               "name": "Order Completed",
                 *               "version": 1,
                 *               "rules": {
                 *                 "type": "object",
                 *                 "properties": {
                 *                   "properties": {
                 *                     "type": "object",
                 *                     "required": [
                 *                       "order_id"
                 *                     ]
                 *                   }
                 *                 }
                 *               }
                 *             }
                 *           ]
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateTrackingPlan"];
            };
        };
        responses: {
            /** @description The tracking plan as it was made. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackingPlan"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTrackingPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example rs_1zTcXk9FqLwR3bVn5MjHs7PdYgA */
                tracking_plan: components["parameters"]["tracking_plan"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tracking plan. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackingPlan"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceTrackingPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the state that this change was decided on. When the resource has another by now, nothing is changed, and the answer is a 409. Without it, or with `*`, any state will do. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example rs_1zTcXk9FqLwR3bVn5MjHs7PdYgA */
                tracking_plan: components["parameters"]["tracking_plan"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "tracking_plan": {
                 *         "display_name": "Web shop"
                 *       },
                 *       "update_mask": {
                 *         "paths": [
                 *           "tracking_plan.display_name"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateTrackingPlan"];
            };
        };
        responses: {
            /** @description The tracking plan as it now stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackingPlan"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Changed"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteTrackingPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the state that this change was decided on. When the resource has another by now, nothing is changed, and the answer is a 409. Without it, or with `*`, any state will do. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example rs_1zTcXk9FqLwR3bVn5MjHs7PdYgA */
                tracking_plan: components["parameters"]["tracking_plan"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Changed"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateTrackingPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the state that this change was decided on. When the resource has another by now, nothing is changed, and the answer is a 409. Without it, or with `*`, any state will do. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example rs_1zTcXk9FqLwR3bVn5MjHs7PdYgA */
                tracking_plan: components["parameters"]["tracking_plan"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "tracking_plan": {
                 *         "display_name": "Web shop"
                 *       },
                 *       "update_mask": {
                 *         "paths": [
                 *           "tracking_plan.display_name"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateTrackingPlan"];
            };
        };
        responses: {
            /** @description The tracking plan as it now stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackingPlan"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Changed"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSourceConnections: {
        parameters: {
            query?: {
                /** @description How many items a page holds. 0 or absent takes the default, more than 1000 is clamped to 1000. */
                page_size?: components["parameters"]["page_size"];
                /** @description The `next_page_token` of the page before; empty or absent asks for the first page. */
                page_token?: components["parameters"]["page_token"];
            };
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example rs_1zTcXk9FqLwR3bVn5MjHs7PdYgA */
                tracking_plan: components["parameters"]["tracking_plan"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of connections, in the order in which their sources were made. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        connections: components["schemas"]["SourceConnection"][];
                        next_page_token: components["schemas"]["NextPageToken"];
                    };
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSourceConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example rs_1zTcXk9FqLwR3bVn5MjHs7PdYgA */
                tracking_plan: components["parameters"]["tracking_plan"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source_name": "workspaces/main/sources/js"
                 *     }
                 */
                "application/json": components["schemas"]["CreateSourceConnection"];
            };
        };
        responses: {
            /** @description The connection. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SourceConnection"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["AlreadyExists"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    batchCreateSourceConnections: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example rs_1zTcXk9FqLwR3bVn5MjHs7PdYgA */
                tracking_plan: components["parameters"]["tracking_plan"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source_names": [
                 *         "workspaces/main/sources/js"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BatchCreateSourceConnections"];
            };
        };
        responses: {
            /** @description The connections, in the order of the request. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        connections: components["schemas"]["SourceConnection"][];
                    };
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["AlreadyExists"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSourceConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example rs_1zTcXk9FqLwR3bVn5MjHs7PdYgA */
                tracking_plan: components["parameters"]["tracking_plan"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Disconnected. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSourceConnectionByName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example rs_1zTcXk9FqLwR3bVn5MjHs7PdYgA */
                tracking_plan: components["parameters"]["tracking_plan"];
                /**
                 * @description The workspace of the plan; no source of another can be connected to it.
                 * @example main
                 */
                source_workspace: components["parameters"]["source_workspace"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Disconnected. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listFilters: {
        parameters: {
            query?: {
                /** @description How many items a page holds. 0 or absent takes the default, more than 1000 is clamped to 1000. */
                page_size?: components["parameters"]["page_size"];
                /** @description The `next_page_token` of the page before; empty or absent asks for the first page. */
                page_token?: components["parameters"]["page_token"];
            };
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of filters, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        filters: components["schemas"]["Filter"][];
                        next_page_token: components["schemas"]["NextPageToken"];
                    };
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createFilter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filter": {
                 *         "title": "No tests",
                 *         "if": "event = \"Test\" or match(context.ip, \"10.*\")",
                 *         "actions": [
                 *           {
                 *             "type": "drop_event"
                 *           }
                 *         ],
                 *         "enabled": true
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateFilter"];
            };
        };
        responses: {
            /** @description The filter as it was made. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Filter"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFilter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
                /** @example df_0123456789abcdefghijklmnopq */
                filter: components["parameters"]["filter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The filter. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Filter"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteFilter: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the state that this change was decided on. When the resource has another by now, nothing is changed, and the answer is a 409. Without it, or with `*`, any state will do. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
                /** @example df_0123456789abcdefghijklmnopq */
                filter: components["parameters"]["filter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Changed"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateFilter: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the state that this change was decided on. When the resource has another by now, nothing is changed, and the answer is a 409. Without it, or with `*`, any state will do. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
                /** @example df_0123456789abcdefghijklmnopq */
                filter: components["parameters"]["filter"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "filter": {
                 *         "enabled": false
                 *       },
                 *       "update_mask": {
                 *         "paths": [
                 *           "enabled"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateFilter"];
            };
        };
        responses: {
            /** @description The filter as it now stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Filter"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Changed"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFilterByName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
                /**
                 * @description The level that names of filters have between their destination and their id.
                 * @example 0123456789abcdef01234567
                 */
                config: components["parameters"]["config"];
                /** @example df_0123456789abcdefghijklmnopq */
                filter: components["parameters"]["filter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The filter. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Filter"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteFilterByName: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the state that this change was decided on. When the resource has another by now, nothing is changed, and the answer is a 409. Without it, or with `*`, any state will do. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
                /**
                 * @description The level that names of filters have between their destination and their id.
                 * @example 0123456789abcdef01234567
                 */
                config: components["parameters"]["config"];
                /** @example df_0123456789abcdefghijklmnopq */
                filter: components["parameters"]["filter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Changed"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateFilterByName: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the state that this change was decided on. When the resource has another by now, nothing is changed, and the answer is a 409. Without it, or with `*`, any state will do. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example webhooks */
                destination: components["parameters"]["destination"];
                /**
                 * @description The level that names of filters have between their destination and their id.
                 * @example 0123456789abcdef01234567
                 */
                config: components["parameters"]["config"];
                /** @example df_0123456789abcdefghijklmnopq */
                filter: components["parameters"]["filter"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "filter": {
                 *         "enabled": false
                 *       },
                 *       "update_mask": {
                 *         "paths": [
                 *           "enabled"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateFilter"];
            };
        };
        responses: {
            /** @description The filter as it now stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Filter"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Changed"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewFilter: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filter": {
                 *         "if": "event = \"Test\"",
                 *         "actions": [
                 *           {
                 *             "type": "blacklist_fields",
                 *             "fields": {
                 *               "properties": {
                 *                 "fields": [
                 *                   "email"
                 *                 ]
                 *               }
                 *             }
                 *           }
                 *         ],
                 *         "enabled": true
                 *       },
                 *       "input": "{\"type\":\"track\",\"event\":\"Test\",\"properties\":{\"email\":\"ada@example.com\",\"plan\":\"pro\"}}"
                 *     }
                 */
                "application/json": components["schemas"]["PreviewFilter"];
            };
        };
        responses: {
            /** @description What the filter makes of the event. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilterPreview"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewShape: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "shape": [
                 *         {
                 *           "op": "drop",
                 *           "paths": [
                 *             "properties.email"
                 *           ]
                 *         },
                 *         {
                 *           "op": "set",
                 *           "path": "properties.currency",
                 *           "value": "\"EUR\""
                 *         }
                 *       ],
                 *       "input": "{\"type\":\"track\",\"event\":\"Order\",\"userId\":\"u1\",\"properties\":{\"email\":\"ada@example.com\",\"total\":12}}"
                 *     }
                 */
                "application/json": components["schemas"]["PreviewShape"];
            };
        };
        responses: {
            /** @description The body that the shape makes of the event. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShapePreview"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRegulations: {
        parameters: {
            query?: {
                /** @description How many items a page holds. 0 or absent takes the default, more than 1000 is clamped to 1000. */
                page_size?: components["parameters"]["page_size"];
                /** @description The `next_page_token` of the page before; empty or absent asks for the first page. */
                page_token?: components["parameters"]["page_token"];
                /** @description Only those with this status, in any case; several are separated by commas. */
                status?: string;
                /** @description Only those of these types, in any case, separated by commas. */
                regulation_types?: string;
            };
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of regulations, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        regulations: components["schemas"]["Regulation"][];
                        next_page_token: components["schemas"]["NextPageToken"];
                    };
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createRegulation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "regulation_type": "Suppress_With_Delete",
                 *       "attributes": {
                 *         "name": "userId",
                 *         "values": [
                 *           "user-1",
                 *           "user-2"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateRegulation"];
            };
        };
        responses: {
            /** @description The regulation as it was made. Suppression holds at once; deletion follows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Regulation"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRegulation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example rg_0123456789abcdefghijklmnopq */
                regulation: components["parameters"]["regulation"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The regulation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Regulation"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteRegulation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the state that this change was decided on. When the resource has another by now, nothing is changed, and the answer is a 409. Without it, or with `*`, any state will do. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example rg_0123456789abcdefghijklmnopq */
                regulation: components["parameters"]["regulation"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Cancelled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Changed"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSuppressedUsers: {
        parameters: {
            query?: {
                /** @description How many items a page holds. 0 or absent takes the default, more than 1000 is clamped to 1000. */
                page_size?: components["parameters"]["page_size"];
                /** @description The `next_page_token` of the page before; empty or absent asks for the first page. */
                page_token?: components["parameters"]["page_token"];
            };
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of suppressed users, the longest suppressed first. It may have fewer than asked for, also none, while there are more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        suppressed_users: components["schemas"]["SuppressedUser"][];
                        next_page_token: components["schemas"]["NextPageToken"];
                    };
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSourceRegulations: {
        parameters: {
            query?: {
                /** @description How many items a page holds. 0 or absent takes the default, more than 1000 is clamped to 1000. */
                page_size?: components["parameters"]["page_size"];
                /** @description The `next_page_token` of the page before; empty or absent asks for the first page. */
                page_token?: components["parameters"]["page_token"];
                /** @description Only those with this status, in any case; several are separated by commas. */
                status?: string;
                /** @description Only those of these types, in any case, separated by commas. */
                regulation_types?: string;
            };
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of regulations, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        regulations: components["schemas"]["Regulation"][];
                        next_page_token: components["schemas"]["NextPageToken"];
                    };
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSourceRegulation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "regulation_type": "Suppress_With_Delete",
                 *       "attributes": {
                 *         "name": "userId",
                 *         "values": [
                 *           "user-1",
                 *           "user-2"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateRegulation"];
            };
        };
        responses: {
            /** @description The regulation as it was made. Suppression holds at once; deletion follows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Regulation"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelSourceRegulations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description None of them is INITIALIZED any more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSourceRegulation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example rg_0123456789abcdefghijklmnopq */
                regulation: components["parameters"]["regulation"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The regulation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Regulation"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSourceRegulation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the state that this change was decided on. When the resource has another by now, nothing is changed, and the answer is a 409. Without it, or with `*`, any state will do. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
                /** @example rg_0123456789abcdefghijklmnopq */
                regulation: components["parameters"]["regulation"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Cancelled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Changed"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSourceSuppressedUsers: {
        parameters: {
            query?: {
                /** @description How many items a page holds. 0 or absent takes the default, more than 1000 is clamped to 1000. */
                page_size?: components["parameters"]["page_size"];
                /** @description The `next_page_token` of the page before; empty or absent asks for the first page. */
                page_token?: components["parameters"]["page_token"];
            };
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example js */
                source: components["parameters"]["source"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of suppressed users, the longest suppressed first. It may have fewer than asked for, also none, while there are more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        suppressed_users: components["schemas"]["SuppressedUser"][];
                        next_page_token: components["schemas"]["NextPageToken"];
                    };
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /** @description How many items a page holds. 0 or absent takes the default, more than 1000 is clamped to 1000. */
                page_size?: components["parameters"]["page_size"];
                /** @description The `next_page_token` of the page before; empty or absent asks for the first page. */
                page_token?: components["parameters"]["page_token"];
                /** @description Only changes of the resource of this name and of what is below it. */
                resource?: string;
                /** @description Only changes made then or later. */
                from?: string;
                /** @description Only changes made before. */
                to?: string;
            };
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Page"];
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAudiences: {
        parameters: {
            query?: {
                /** @description How many items a page holds. 0 or absent takes the default, more than 1000 is clamped to 1000. */
                page_size?: components["parameters"]["page_size"];
                /** @description The `next_page_token` of the page before; empty or absent asks for the first page. */
                page_token?: components["parameters"]["page_token"];
            };
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of audiences, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        audiences: components["schemas"]["Audience"][];
                        next_page_token: components["schemas"]["NextPageToken"];
                    };
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createAudience: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "audience": {
                 *         "display_name": "Big spenders",
                 *         "definition": {
                 *           "events": {
                 *             "where": "event = 'Order Completed'",
                 *             "sum": {
                 *               "of": "properties.total",
                 *               "gte": 100
                 *             },
                 *             "window": {
                 *               "within": "30d"
                 *             }
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateAudience"];
            };
        };
        responses: {
            /** @description The audience as it was made. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Audience"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["KeyTaken"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewAudience: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "definition": {
                 *         "trait": "plan",
                 *         "is": {
                 *           "eq": "pro"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PreviewAudience"];
            };
        };
        responses: {
            /** @description Who would be a member now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AudiencePreview"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoProfiles"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAudience: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example aud_0123456789abcdefghijklmnopq */
                audience: components["parameters"]["audience"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The audience. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Audience"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteAudience: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the state that this change was decided on. When the resource has another by now, nothing is changed, and the answer is a 409. Without it, or with `*`, any state will do. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example aud_0123456789abcdefghijklmnopq */
                audience: components["parameters"]["audience"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ChangedOrUsed"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateAudience: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the state that this change was decided on. When the resource has another by now, nothing is changed, and the answer is a 409. Without it, or with `*`, any state will do. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example aud_0123456789abcdefghijklmnopq */
                audience: components["parameters"]["audience"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "audience": {
                 *         "enabled": false
                 *       },
                 *       "update_mask": {
                 *         "paths": [
                 *           "audience.enabled"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateAudience"];
            };
        };
        responses: {
            /** @description The audience as it now stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Audience"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Changed"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    syncAudience: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example aud_0123456789abcdefghijklmnopq */
                audience: components["parameters"]["audience"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sync. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sync"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoProfiles"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAudienceMembers: {
        parameters: {
            query?: {
                /** @description How many items a page holds. 0 or absent takes the default, more than 1000 is clamped to 1000. */
                page_size?: components["parameters"]["page_size"];
                /** @description The `next_page_token` of the page before; empty or absent asks for the first page. */
                page_token?: components["parameters"]["page_token"];
            };
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example aud_0123456789abcdefghijklmnopq */
                audience: components["parameters"]["audience"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of members. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        members: components["schemas"]["AudienceMember"][];
                        next_page_token: components["schemas"]["NextPageToken"];
                    };
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoProfiles"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAudienceMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example aud_0123456789abcdefghijklmnopq */
                audience: components["parameters"]["audience"];
                /**
                 * @description A `userId`, percent-encoded.
                 * @example user-1
                 */
                user: components["parameters"]["user"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Each condition, with its value. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExplainedMember"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoProfiles"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAudienceSyncs: {
        parameters: {
            query?: {
                /** @description How many items a page holds. 0 or absent takes the default, more than 1000 is clamped to 1000. */
                page_size?: components["parameters"]["page_size"];
                /** @description The `next_page_token` of the page before; empty or absent asks for the first page. */
                page_token?: components["parameters"]["page_token"];
            };
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example aud_0123456789abcdefghijklmnopq */
                audience: components["parameters"]["audience"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of syncs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        syncs: components["schemas"]["Sync"][];
                        next_page_token: components["schemas"]["NextPageToken"];
                    };
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoProfiles"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelAudienceSync: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example aud_0123456789abcdefghijklmnopq */
                audience: components["parameters"]["audience"];
                /** @example 1 */
                sync: components["parameters"]["sync"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sync as it now stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sync"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoProfiles"];
            503: components["responses"]["Unavailable"];
        };
    };
    listComputedTraits: {
        parameters: {
            query?: {
                /** @description How many items a page holds. 0 or absent takes the default, more than 1000 is clamped to 1000. */
                page_size?: components["parameters"]["page_size"];
                /** @description The `next_page_token` of the page before; empty or absent asks for the first page. */
                page_token?: components["parameters"]["page_token"];
            };
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of computed traits, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        computed_traits: components["schemas"]["ComputedTrait"][];
                        next_page_token: components["schemas"]["NextPageToken"];
                    };
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createComputedTrait: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "computed_trait": {
                 *         "display_name": "Total spent",
                 *         "definition": {
                 *           "sum": {
                 *             "where": "event = 'Order Completed'",
                 *             "of": "properties.total"
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateComputedTrait"];
            };
        };
        responses: {
            /** @description The computed trait as it was made. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComputedTrait"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["KeyTaken"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getComputedTrait: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example tra_0123456789abcdefghijklmnopq */
                computed_trait: components["parameters"]["computed_trait"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The computed trait. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComputedTrait"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteComputedTrait: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the state that this change was decided on. When the resource has another by now, nothing is changed, and the answer is a 409. Without it, or with `*`, any state will do. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example tra_0123456789abcdefghijklmnopq */
                computed_trait: components["parameters"]["computed_trait"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ChangedOrUsed"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateComputedTrait: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the state that this change was decided on. When the resource has another by now, nothing is changed, and the answer is a 409. Without it, or with `*`, any state will do. */
                "If-Match"?: components["parameters"]["if_match"];
            };
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example tra_0123456789abcdefghijklmnopq */
                computed_trait: components["parameters"]["computed_trait"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "computed_trait": {
                 *         "enabled": false
                 *       },
                 *       "update_mask": {
                 *         "paths": [
                 *           "computed_trait.enabled"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateComputedTrait"];
            };
        };
        responses: {
            /** @description The computed trait as it now stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComputedTrait"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Changed"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    syncComputedTrait: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example tra_0123456789abcdefghijklmnopq */
                computed_trait: components["parameters"]["computed_trait"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sync. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sync"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoProfiles"];
            503: components["responses"]["Unavailable"];
        };
    };
    listComputedTraitValues: {
        parameters: {
            query?: {
                /** @description How many items a page holds. 0 or absent takes the default, more than 1000 is clamped to 1000. */
                page_size?: components["parameters"]["page_size"];
                /** @description The `next_page_token` of the page before; empty or absent asks for the first page. */
                page_token?: components["parameters"]["page_token"];
            };
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example tra_0123456789abcdefghijklmnopq */
                computed_trait: components["parameters"]["computed_trait"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of values. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        values: components["schemas"]["ComputedTraitValue"][];
                        next_page_token: components["schemas"]["NextPageToken"];
                    };
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoProfiles"];
            503: components["responses"]["Unavailable"];
        };
    };
    listComputedTraitSyncs: {
        parameters: {
            query?: {
                /** @description How many items a page holds. 0 or absent takes the default, more than 1000 is clamped to 1000. */
                page_size?: components["parameters"]["page_size"];
                /** @description The `next_page_token` of the page before; empty or absent asks for the first page. */
                page_token?: components["parameters"]["page_token"];
            };
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example tra_0123456789abcdefghijklmnopq */
                computed_trait: components["parameters"]["computed_trait"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of syncs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        syncs: components["schemas"]["Sync"][];
                        next_page_token: components["schemas"]["NextPageToken"];
                    };
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoProfiles"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelComputedTraitSync: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /** @example tra_0123456789abcdefghijklmnopq */
                computed_trait: components["parameters"]["computed_trait"];
                /** @example 1 */
                sync: components["parameters"]["sync"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sync as it now stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sync"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoProfiles"];
            503: components["responses"]["Unavailable"];
        };
    };
    getProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /**
                 * @description A `userId`, percent-encoded.
                 * @example user-1
                 */
                user: components["parameters"]["user"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ids, traits, memberships and computed traits. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoProfiles"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                workspace: components["parameters"]["workspace"];
                /**
                 * @description A `userId`, percent-encoded.
                 * @example user-1
                 */
                user: components["parameters"]["user"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoProfiles"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRouterAuditEntries: {
        parameters: {
            query?: {
                /** @description How many items a page holds. 0 or absent takes the default, more than 1000 is clamped to 1000. */
                page_size?: components["parameters"]["page_size"];
                /** @description The `next_page_token` of the page before; empty or absent asks for the first page. */
                page_token?: components["parameters"]["page_token"];
                /** @description Only changes of the resource of this name and of what is below it. */
                resource?: string;
                /** @description Only changes made then or later. */
                from?: string;
                /** @description Only changes made before. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Page"];
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Bound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listNodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The routers, in a fixed order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Nodes"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Bound-2"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Bound-3"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    downloadBackup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archive. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-tar": unknown;
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["NotAll"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            501: components["responses"]["OtherTools"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUnknownKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys, the last seen first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownKeys"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Bound-4"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCatalogSources: {
        parameters: {
            query?: {
                /** @description How many items a page holds. 0 or absent takes the default, more than 1000 is clamped to 1000. */
                page_size?: components["parameters"]["page_size"];
                /** @description The `next_page_token` of the page before; empty or absent asks for the first page. */
                page_token?: components["parameters"]["page_token"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of known sources. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sources: components["schemas"]["CatalogSource"][];
                        next_page_token: components["schemas"]["NextPageToken"];
                    };
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCatalogSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example javascript */
                slug: components["parameters"]["source_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The known source. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogSource"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCatalogDestinations: {
        parameters: {
            query?: {
                /** @description How many items a page holds. 0 or absent takes the default, more than 1000 is clamped to 1000. */
                page_size?: components["parameters"]["page_size"];
                /** @description The `next_page_token` of the page before; empty or absent asks for the first page. */
                page_token?: components["parameters"]["page_token"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of known destinations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        destinations: components["schemas"]["CatalogDestination"][];
                        next_page_token: components["schemas"]["NextPageToken"];
                    };
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCatalogDestination: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example webhooks */
                slug: components["parameters"]["destination_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The known destination. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogDestination"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
}
