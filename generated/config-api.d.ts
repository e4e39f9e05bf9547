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
        /** Read one access token. */
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
        /** Create a workspace. */
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
        /** Remove the workspace, and everything below it. */
        delete: operations["deleteWorkspace"];
        options?: never;
        head?: never;
        /** Change the fields that the update mask names. */
        patch: operations["updateWorkspace"];
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
        /** Remove the source, and everything below it. */
        delete: operations["deleteSource"];
        options?: never;
        head?: never;
        /** Change the fields that the update mask names. */
        patch: operations["updateSource"];
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
        /** Connect a destination to a source. */
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
        /** Remove the destination. */
        delete: operations["deleteDestination"];
        options?: never;
        head?: never;
        /** Change the fields that the update mask names. */
        patch: operations["updateDestination"];
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
        /** The same as PATCH, as most clients of this API send it (D-4). */
        put: operations["replaceTrackingPlan"];
        post?: never;
        /** Remove the tracking plan. */
        delete: operations["deleteTrackingPlan"];
        options?: never;
        head?: never;
        /** Change the fields that the update mask names. */
        patch: operations["updateTrackingPlan"];
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
                    /** @description The service and its version (HOOK-4). */
                    "User-Agent": components["parameters"]["UserAgent"];
                    /** @description Present when the destination has a shared secret: lower-case hex of HMAC-SHA-1, keyed by the secret, over the bytes of this body (HOOK-5, HOOK-7). */
                    "X-Signature"?: components["parameters"]["Signature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
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
                    /** @description The service and its version (HOOK-4). */
                    "User-Agent": components["parameters"]["UserAgent"];
                    /** @description Present when the destination has a shared secret: lower-case hex of HMAC-SHA-1, keyed by the secret, over the bytes of this body (HOOK-5, HOOK-7). */
                    "X-Signature"?: components["parameters"]["Signature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
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
                    /** @description The service and its version (HOOK-4). */
                    "User-Agent": components["parameters"]["UserAgent"];
                    /** @description Present when the destination has a shared secret: lower-case hex of HMAC-SHA-1, keyed by the secret, over the bytes of this body (HOOK-5, HOOK-7). */
                    "X-Signature"?: components["parameters"]["Signature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
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
                    /** @description The service and its version (HOOK-4). */
                    "User-Agent": components["parameters"]["UserAgent"];
                    /** @description Present when the destination has a shared secret: lower-case hex of HMAC-SHA-1, keyed by the secret, over the bytes of this body (HOOK-5, HOOK-7). */
                    "X-Signature"?: components["parameters"]["Signature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
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
                    /** @description The service and its version (HOOK-4). */
                    "User-Agent": components["parameters"]["UserAgent"];
                    /** @description Present when the destination has a shared secret: lower-case hex of HMAC-SHA-1, keyed by the secret, over the bytes of this body (HOOK-5, HOOK-7). */
                    "X-Signature"?: components["parameters"]["Signature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
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
                    /** @description The service and its version (HOOK-4). */
                    "User-Agent": components["parameters"]["UserAgent"];
                    /** @description Present when the destination has a shared secret: lower-case hex of HMAC-SHA-1, keyed by the secret, over the bytes of this body (HOOK-5, HOOK-7). */
                    "X-Signature"?: components["parameters"]["Signature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
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
                    /** @description The service and its version (HOOK-4). */
                    "User-Agent": components["parameters"]["UserAgent"];
                    /** @description Present when the destination has a shared secret: lower-case hex of HMAC-SHA-1, keyed by the secret, over the bytes of this body (HOOK-5, HOOK-7). */
                    "X-Signature"?: components["parameters"]["Signature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
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
}
export interface components {
    schemas: {
        WebhookEvent: components["schemas"]["PageEvent"] | components["schemas"]["ScreenEvent"] | components["schemas"]["IdentifyEvent"] | components["schemas"]["TrackEvent"] | components["schemas"]["AliasEvent"] | components["schemas"]["GroupEvent"] | components["schemas"]["DeleteEvent"];
        /** @description A personal access token (S 5.1, D-8). Only a hash of it is stored. */
        AccessToken: {
            /** @example access-tokens/1 */
            name: string;
            description: string;
            /**
             * @description `workspace` reads and writes; `workspace:read` only reads.
             * @enum {string}
             */
            scopes: "workspace" | "workspace:read";
            /** @description The workspaces that the token may see; an empty list means all of them. */
            workspace_names: string[];
            /** Format: date-time */
            create_time: string;
            /** @description The plaintext, in the answer of the create only. */
            token?: string;
        };
        /** @description Filled while more items exist, the empty string on the last page (S 2.3). The key is always present. */
        NextPageToken: string;
        /** @description The one shape of every error of this API (S 7.1, D-2). */
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
                workspace_names?: string[];
            };
        };
        /** @description The answer of a delete. */
        Empty: Record<string, never>;
        /**
         * @description The explicit list of field paths that an update may change (S 4.1). A path may carry the resource's key in front (`destination.enabled`) or leave it out. A listed path without a value sets the field to its empty value; data without a path changes nothing; without any path nothing changes; an unknown path is refused.
         * @example {
         *       "paths": [
         *         "destination.enabled"
         *       ]
         *     }
         */
        UpdateMask: {
            paths?: string[];
        };
        UpdateAccessToken: {
            access_token?: {
                description?: string;
                update_mask?: components["schemas"]["UpdateMask"];
            };
            update_mask?: components["schemas"]["UpdateMask"];
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
        CreateWorkspace: {
            workspace: {
                name: string;
                display_name?: string;
            };
        };
        /**
         * @description A short name that the customer chose; unlikely to change (S 2.1).
         * @example js
         */
        Slug: string;
        UpdateWorkspace: {
            workspace?: {
                display_name?: string;
                update_mask?: components["schemas"]["UpdateMask"];
            };
            update_mask?: components["schemas"]["UpdateMask"];
        };
        /** @description The keys by which events of this source authenticate (S 5.2, D-10). */
        WriteKeys: string[];
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
        /** @description Where events come from (S 2.1). */
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
            /** Format: date-time */
            create_time: string;
        };
        LibraryConfigInput: {
            metrics_enabled?: boolean;
            retry_queue?: boolean;
            cross_domain_id_enabled?: boolean;
            api_host?: string;
        };
        CreateSource: {
            source: {
                name: string;
                display_name?: string;
                catalog_name?: string;
                write_keys?: components["schemas"]["WriteKeys"];
                library_config?: components["schemas"]["LibraryConfigInput"];
                labels?: components["schemas"]["Labels"];
            };
        };
        UpdateSource: {
            source?: {
                display_name?: string;
                catalog_name?: string;
                library_config?: components["schemas"]["LibraryConfigInput"];
                labels?: components["schemas"]["Labels"];
                update_mask?: components["schemas"]["UpdateMask"];
            };
            update_mask?: components["schemas"]["UpdateMask"];
        };
        /**
         * @description Webhooks are served in cloud mode only (S 1).
         * @enum {string}
         */
        ConnectionMode: "UNSPECIFIED" | "CLOUD" | "DEVICE";
        /** @enum {string} */
        ConfigType: "string" | "password" | "color" | "select" | "boolean" | "number" | "list" | "map" | "mixed" | "multi_line_string";
        /** @description One setting of a destination. Of the destination `webhooks`: `hooks` (mixed, `[{hook, headers}]`), `sharedSecret` (string) and `globalHook` (string, one more URL) (S 2.4, D-11). Together they are at most five webhooks, and at least one while the destination is enabled. A `hook` is a full http or https URL without credentials; `headers` are a list of `{key, value}` or a map, without names that Waybill or HTTP itself sets (D-29). */
        ConfigEntry: {
            /** @example workspaces/main/sources/js/destinations/webhooks/config/hooks */
            name: string;
            display_name: string;
            type: components["schemas"]["ConfigType"];
            /** @description Of the kind that the type says. */
            value: unknown;
        };
        /** @description Where the events of a source go (S 2.1, 2.2). */
        Destination: {
            /** @example workspaces/main/sources/js/destinations/webhooks */
            name: string;
            parent: string;
            display_name: string;
            enabled: boolean;
            connection_mode: components["schemas"]["ConnectionMode"];
            config: components["schemas"]["ConfigEntry"][];
            /** Format: date-time */
            create_time: string;
            /** Format: date-time */
            update_time: string;
        };
        ConfigEntryInput: {
            /** @description The full name, or the bare key. */
            name: string;
            type?: components["schemas"]["ConfigType"];
            /** @description Without it the setting takes its empty value. */
            value?: unknown;
        };
        CreateDestination: {
            destination: {
                name: string;
                display_name?: string;
                enabled?: boolean;
                connection_mode?: components["schemas"]["ConnectionMode"];
                config?: components["schemas"]["ConfigEntryInput"][];
            };
        };
        UpdateDestination: {
            destination?: {
                display_name?: string;
                enabled?: boolean;
                connection_mode?: components["schemas"]["ConnectionMode"];
                config?: components["schemas"]["ConfigEntryInput"][];
                update_mask?: components["schemas"]["UpdateMask"];
            };
            update_mask?: components["schemas"]["UpdateMask"];
        };
        /** @description `events` (a list of named JSON Schemas), and JSON Schemas `global`, `identify` and `group`. */
        TrackingPlanRules: {
            [key: string]: unknown;
        };
        /** @description What events ought to look like. Its rules are kept and given back verbatim. */
        TrackingPlan: {
            name: string;
            display_name: string;
            rules: components["schemas"]["TrackingPlanRules"];
            /** Format: date-time */
            create_time: string;
            /** Format: date-time */
            update_time: string;
        };
        CreateTrackingPlan: {
            tracking_plan: {
                display_name: string;
                rules?: components["schemas"]["TrackingPlanRules"];
            };
        };
        UpdateTrackingPlan: {
            tracking_plan?: {
                display_name?: string;
                rules?: components["schemas"]["TrackingPlanRules"];
                update_mask?: components["schemas"]["UpdateMask"];
            };
            update_mask?: components["schemas"]["UpdateMask"];
        };
        Properties: {
            [key: string]: unknown;
        };
        /** @description Where and how the call was made, as the sender supplied it (HOOK-14). */
        Context: {
            [key: string]: unknown;
        };
        /** @description Which destinations the sender switched on or off (S 4.4). */
        Integrations: {
            [key: string]: unknown;
        };
        /**
         * @description ISO 8601 in UTC, with milliseconds (HOOK-13).
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
        /** @description The name is taken. Code 6. */
        AlreadyExists: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Status"];
            };
        };
        /** @description Any 2xx within 5 seconds. The event counts as processed, and no other webhook gets it again (HOOK-10). */
        Processed: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Not tried again at this webhook (HOOK-18). 408, 425 and 429 are tried again. */
        Permanent: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Tried again for up to four hours, as are timeouts (HOOK-9). */
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
        /** @example main */
        workspace: components["schemas"]["Slug"];
        /** @example js */
        source: components["schemas"]["Slug"];
        /** @example webhooks */
        destination: components["schemas"]["Slug"];
        /** @example rs_1zTcXk9FqLwR3bVn5MjHs7PdYgA */
        tracking_plan: string;
        /** @description The service and its version (HOOK-4). */
        UserAgent: string;
        /** @description Present when the destination has a shared secret: lower-case hex of HMAC-SHA-1, keyed by the secret, over the bytes of this body (HOOK-5, HOOK-7). */
        Signature: string;
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
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteAccessToken: {
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
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateAccessToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 10000000000001 */
                access_token: components["parameters"]["access_token"];
            };
            cookie?: never;
        };
        requestBody: {
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
            header?: never;
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
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWorkspace: {
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
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSource: {
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
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateSource: {
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
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteDestination: {
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
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateDestination: {
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
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceTrackingPlan: {
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
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteTrackingPlan: {
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
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateTrackingPlan: {
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
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
}
