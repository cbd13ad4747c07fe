/** The nodes as n8n loads them. */
import { LeadGenPublishing } from '../../nodes/LeadGenPublishing/LeadGenPublishing.node';
import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';

export const action = new LeadGenPublishing().description;
export const trigger = new LeadGenPublishingTrigger().description;
