/**
 * Credentials as n8n's application gives them to a node. The application itself is not installed,
 * so this follows its `CredentialsHelper` step by step: defaults, expressions, authentication.
 */
import { Credentials, getAdditionalKeys } from 'n8n-core';
import {
	type ICredentialDataDecryptedObject,
	ICredentialsHelper,
	type ICredentialsExpressionResolveValues,
	type ICredentialType,
	type IExecuteData,
	type IHttpRequestOptions,
	type INode,
	type INodeCredentialsDetails,
	type INodeParameters,
	type INodeProperties,
	type IRequestOptionsSimplified,
	type IWorkflowExecuteAdditionalData,
	NodeHelpers,
	UserError,
	type Workflow,
	type WorkflowExecuteMode,
	deepCopy,
	injectDomainRestrictionFields,
	isExpression,
} from 'n8n-workflow';

export interface StoredCredential {
	type: ICredentialType;
	data: ICredentialDataDecryptedObject;
}

export class CredentialStore extends ICredentialsHelper {
	constructor(readonly stored: StoredCredential | undefined) {
		super();
	}

	/** What a node carries when this credential is selected on it. */
	get onNode(): INode['credentials'] {
		if (!this.stored) return undefined;
		return { [this.stored.type.name]: { id: '1', name: 'Credential under test' } };
	}

	private typeOf(name: string): ICredentialType {
		if (this.stored?.type.name !== name) throw new UserError(`Unknown credential type "${name}"`);
		return this.stored.type;
	}

	getParentTypes(name: string): string[] {
		return this.stored?.type.name === name ? (this.stored.type.extends ?? []) : [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	getCredentialsProperties(name: string): INodeProperties[] {
		return injectDomainRestrictionFields(this.typeOf(name));
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		incoming: IHttpRequestOptions | IRequestOptionsSimplified,
		workflow?: Workflow,
		node?: INode,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.typeOf(typeName);
		const request = incoming as IHttpRequestOptions;
		if (authenticate === undefined) return request;
		if (typeof authenticate === 'function') return await authenticate(credentials, request);
		if (!workflow || !node) throw new UserError('Declarative authentication needs a workflow');

		const resolve = (value: string): string => {
			if (!isExpression(value)) return value;
			const keys = { $credentials: credentials };
			const { expression } = workflow;
			return (
				expression.getSimpleParameterValue(node, value, 'internal', keys, undefined, '') || ''
			).toString();
		};
		request.headers ??= {};
		const target = request as unknown as Record<string, Record<string, unknown> | undefined>;
		for (const [part, values] of Object.entries(authenticate.properties)) {
			const destination = (target[part] ||= {});
			for (const [key, value] of Object.entries(values ?? {})) {
				destination[resolve(key)] = resolve(String(value));
			}
		}
		return request;
	}

	/** No credential here asks for a token first. */
	async preAuthentication(): Promise<undefined> {}

	async runPreAuthentication(): Promise<undefined> {}

	async getCredentials(details: INodeCredentialsDetails, type: string): Promise<Credentials> {
		this.typeOf(type);
		const credentials = new Credentials(details, type);
		await credentials.setData(this.stored?.data ?? {});
		return credentials;
	}

	async getDecrypted(
		additionalData: IWorkflowExecuteAdditionalData,
		_details: INodeCredentialsDetails,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		raw?: boolean,
		values?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		this.typeOf(type);
		const data = deepCopy(this.stored?.data ?? {});
		if (raw === true) return data;
		return await this.applyDefaults({ additionalData, data, type, mode, executeData, values });
	}

	async applyDefaults(given: {
		additionalData: IWorkflowExecuteAdditionalData;
		data: ICredentialDataDecryptedObject;
		type: string;
		mode: WorkflowExecuteMode;
		executeData?: IExecuteData;
		values?: ICredentialsExpressionResolveValues;
	}): Promise<ICredentialDataDecryptedObject> {
		const { additionalData, data, type, mode, executeData, values } = given;
		const complete = NodeHelpers.getNodeParameters(
			this.getCredentialsProperties(type),
			data as INodeParameters,
			true,
			false,
			null,
			null,
		) as ICredentialDataDecryptedObject;
		for (const name of ['allowedHttpRequestDomains', 'allowedDomains']) {
			if (data[name] !== undefined) complete[name] ??= data[name];
		}
		const keys = getAdditionalKeys(additionalData, mode, null, { isCredential: true });

		// No test has an expression in a credential that is tested outside of a run.
		if (!values) return complete;
		try {
			return values.workflow.expression.getParameterValue(
				complete as INodeParameters,
				values.runExecutionData,
				values.runIndex,
				values.itemIndex,
				values.node.name,
				values.connectionInputData,
				mode,
				keys,
				executeData,
				false,
				complete,
			) as ICredentialDataDecryptedObject;
		} catch (error) {
			if (error instanceof Error) error.message += ' [Error resolving credentials]';
			throw error;
		}
	}

	async updateCredentials(
		_details: INodeCredentialsDetails,
		_type: string,
		data: ICredentialDataDecryptedObject,
	): Promise<void> {
		if (this.stored) this.stored.data = data;
	}

	async updateCredentialsOauthTokenData(): Promise<void> {
		throw new UserError('OAuth credentials are not available in tests');
	}
}
